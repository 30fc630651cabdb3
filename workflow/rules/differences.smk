# Which of two learners is more accurate, with intervals: what claims are judged by.


rule measure_differences:
    input:
        predictions=predictions(PLAN.streams),
        sources=sources("measure_differences"),
    output:
        "results/differences.csv",
    log:
        "logs/measure_differences.log",
    conda:
        "../../environment.yml"
    params:
        simulated=SIMULATED,
        pairs=[pair for paper in papers.listed().values() for pair in paper.pairs],
    message:
        "Comparing learners pair by pair"
    script:
        "../scripts/measure_differences.py"
