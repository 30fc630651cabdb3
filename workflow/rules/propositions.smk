# Table 2 and Propositions 5 to 9 of Žliobaitė et al. (2015), by simulation.


rule simulate_propositions:
    input:
        kernels=KERNELS[0],
        sources=ENGINE + MEASURING + DRAWING,
    output:
        multiext("results/tables/zliobaite2015/table2", ".md", ".tex"),
        multiext("results/tables/zliobaite2015/propositions", ".md", ".tex"),
        table=report(
            "results/tables/zliobaite2015/table2.csv",
            caption="../report/baselines.rst",
            category=CATEGORIES["zliobaite2015"],
            labels={"table": "table2", "about": "baselines"},
        ),
        cases=report(
            "results/tables/zliobaite2015/propositions.csv",
            caption="../report/propositions.rst",
            category=CATEGORIES["zliobaite2015"],
            labels={"table": "propositions", "about": "Propositions 5 to 9"},
        ),
        sweep="results/data/zliobaite2015/propositions/sweep.csv",
        memory="results/data/zliobaite2015/propositions/memory.csv",
        errors="results/data/zliobaite2015/propositions/errors.csv",
    log:
        "logs/simulate_propositions.log",
    conda:
        "../../environment.yml"
    params:
        instances=PLAN.item("zliobaite2015/table2").get("instances"),
        seeds=PLAN.item("zliobaite2015/table2").get("seeds"),
    message:
        "Simulating Propositions 5 to 9 of zliobaite2015"
    script:
        "../scripts/simulate_propositions.py"


rule draw_propositions:
    input:
        sweep="results/data/zliobaite2015/propositions/sweep.csv",
        memory="results/data/zliobaite2015/propositions/memory.csv",
        errors="results/data/zliobaite2015/propositions/errors.csv",
        sources=DRAWING,
    output:
        report(
            directory("figures/zliobaite2015/propositions"),
            patterns=["{shown}.svg"],
            caption="../report/propositions_figure.rst",
            category=CATEGORIES["zliobaite2015"],
            labels={
                "figure": "propositions",
                "stream": "{shown}",
                "data": "generated",
            },
        ),
    log:
        "logs/draw_propositions.log",
    conda:
        "../../environment.yml"
    message:
        "Drawing Propositions 5 to 9 of zliobaite2015"
    script:
        "../scripts/draw_propositions.py"
