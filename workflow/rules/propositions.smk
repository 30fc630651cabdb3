# Table 2 and Propositions 5 to 9 of Žliobaitė et al. (2015), by simulation.


rule simulate_propositions:
    input:
        kernels=KERNELS[0],
        sources=sources("simulate_propositions"),
    output:
        multiext("results/tables/zliobaite2015/table2", ".csv", ".md", ".tex"),
        multiext("results/tables/zliobaite2015/propositions", ".csv", ".md", ".tex"),
        table=report(
            "results/tables/zliobaite2015/table2.html",
            caption="../report/baselines.rst",
            category=CHAPTERS["zliobaite2015"],
            labels=table_label("table2", "which baseline is better"),
        ),
        cases=report(
            "results/tables/zliobaite2015/propositions.html",
            caption="../report/propositions.rst",
            category=CHAPTERS["zliobaite2015"],
            labels=table_label("propositions 5 to 9", "all cases"),
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
        unpack(data_of_propositions),
        sources=sources("draw_propositions"),
    output:
        report(
            directory("figures/zliobaite2015/propositions"),
            patterns=["{shown}.svg"],
            caption="../report/propositions_figure.rst",
            category=CHAPTERS["zliobaite2015"],
            labels=label_of_propositions,
        ),
    log:
        "logs/draw_propositions.log",
    conda:
        "../../environment.yml"
    message:
        "Drawing Propositions 5 to 9 of zliobaite2015"
    script:
        "../scripts/draw_propositions.py"
