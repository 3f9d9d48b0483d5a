/** What a study says that was raced, or that has a front of three figures or a tail. */
export const studyRace = {
  "study.keep_raced": {
    en: "Keep the scenario as written: none of {count}\u00a0{count|candidate|candidates} was better to the end of the race, on {seeds}\u00a0seeds ({figure}: {value}).",
    ja: "シナリオは現状のまま：{count} 件の候補に、絞り込みの最後（{seeds} シード）まで現状より良いものはない（{figure}：{value}）。",
  },
  "study.sure_better": {
    en: "it is better than the scenario as written with a probability of {probability}, by {change} ({share}, {count}\u00a0held-out seeds; better on {better} of {count})",
    ja: "現状より良い確率は {probability}、差は {change}（{share}、検証用の {count} シード、{count} 中 {better} で改善）",
  },
  "study.sure_better_tail": {
    en: "it is better than the scenario as written with a probability of {probability}, by {change} ({share}, {count}\u00a0held-out seeds)",
    ja: "現状より良い確率は {probability}、差は {change}（{share}、検証用の {count} シード）",
  },
  "study.keep_unsure": {
    en: "Keep the scenario as written: the best candidate is better with a probability of {probability}, by {change} ({share}, {count}\u00a0held-out seeds).",
    ja: "シナリオは現状のまま：最良の候補が現状より良い確率は {probability}、差は {change}（{share}、検証用の {count} シード）。",
  },
  "study.keep_too_small": {
    en: "Keep the scenario as written: the best candidate is better with a probability of {probability}, by {change} ({share}, {count}\u00a0held-out seeds), less than the {limit} that matter to you.",
    ja: "シナリオは現状のまま：最良の候補が現状より良い確率は {probability}、差は {change}（{share}、検証用の {count} シード）、意味のある差 {limit} より小さい。",
  },
  "study.keep_worse": {
    en: "Keep the scenario as written: the best candidate is worse by {change} ({share}, {count}\u00a0held-out seeds); it is better with a probability of {probability}.",
    ja: "シナリオは現状のまま：最良の候補は {change} だけ悪い（{share}、検証用の {count} シード）。現状より良い確率は {probability}。",
  },
  "study.over": { en: "over {share}", ja: "{share} 超" },
  "study.under": { en: "under {share}", ja: "{share} 未満" },
  "study.held_outcome": {
    en: "On {count}\u00a0held-out seeds, {outcome}.",
    ja: "検証用の {count} シードで、{outcome}。",
  },
  "study.held_outcome_best": {
    en: "With the best candidate, on {count}\u00a0held-out seeds, {outcome}.",
    ja: "最良の候補では、検証用の {count} シードで、{outcome}。",
  },
  "study.rule_wins": {
    en: "Still better on {count}\u00a0held-out seeds, and not among the candidates: {rule}, here {settings}.",
    ja: "検証用の {count} シードでさらに良く、候補に含まれないもの：{rule}（{settings}）。",
  },
  "study.trade_off_three": { en: "Trade-off between three figures", ja: "3 つの指標の両立" },
  "study.too_small": {
    en: "The difference is less than the {limit} that matter to you.",
    ja: "差は、意味のある差 {limit} より小さい。",
  },
  "study.by_more_than": {
    en: "It is better by more than the {limit} that matter to you with a probability of {probability}.",
    ja: "意味のある差 {limit} を超えて良い確率は {probability}。",
  },
  "study.more_runs": {
    en: "{count} more runs would reduce ± {before} to ± {after}.",
    ja: "さらに {count} 回実行すると、± {before} は ± {after} になる。",
  },
  "study.carried_by_one": {
    en: "One seed of {count} carries most of the variation: rare failures may be missing from these seeds, and the interval may be too short.",
    ja: "ばらつきの大半は {count} シードのうち 1 つによる：まれな停止がこれらのシードに現れていない可能性があり、信頼区間は短すぎる可能性がある。",
  },
  "study.others": {
    en: "Of {total} candidates, {count} {count|was|were} run on at least {seeds} seeds; with {share} confidence {limit}.",
    ja: "{total} 件の候補のうち {count} 件を {seeds} シード以上で実行。{share} の信頼度で、{limit}。",
  },
  "study.others_feasible": {
    en: "Of {total} candidates, {count} feasible {count|one was|ones were} run on at least {seeds} seeds; with {share} confidence {limit}.",
    ja: "{total} 件の候補のうち実行可能な {count} 件を {seeds} シード以上で実行。{share} の信頼度で、{limit}。",
  },
  "study.none_better": { en: "none of them is better", ja: "その中により良いものはない" },
  "study.none_better_by": {
    en: "none of them is better by more than {loss}",
    ja: "その中に {loss} を超えて良いものはない",
  },
  "study.left_early": { en: "{count} left earlier, by rank.", ja: "ほかの {count} 件は順位により先に離脱。" },
  "study.cost": {
    en: "{count} {count|run|runs} instead of {equal}.",
    ja: "実行回数は {equal} 回ではなく {count} 回。",
  },
  "study.scope_raced": {
    en: "{scenario}, a race of {candidates} candidates on {seeds} seeds.",
    ja: "{scenario}、{candidates} 件の候補を {seeds} シードで絞り込み。",
  },
  "study.scope_search": {
    en: "{scenario}, a search of {evaluations} evaluations and a race of its {candidates} finalists on {seeds} seeds.",
    ja: "{scenario}、{evaluations} 回の評価で探索し、最後に残る {candidates} 件を {seeds} シードで絞り込み。",
  },
  "study.rules_on": {
    en: "On {count}\u00a0held-out seeds it {relations}.",
    ja: "検証用の {count} シードでは{relations}。",
  },
  "study.rules_open": { en: "is not clearly different from {rules}", ja: "{rules}と差があるとは言えない" },
  "study.simultaneous_looks": {
    en: "The {count|interval|intervals} of {count}\u00a0{count|comparison|comparisons} on held-out seeds {count|holds|hold} simultaneously at {share}, at each of {looks} seeds (Bonferroni).",
    ja: "検証用シードでの {count} 件の比較の信頼区間は、{looks} シードのいずれでも、{share} で同時に成り立つ（ボンフェローニ法）。",
  },
  "study.rule_ahead": {
    en: "Better than the best candidate on the {count}\u00a0{count|seed|seeds} of both, and not among the candidates: {rule}, by {change}.",
    ja: "両方を実行した {count} シードで最良の候補より良く、候補に含まれないもの：{rule}、差 {change}。",
  },
  "study.chart_caption_raced": {
    en: "Each point is one candidate, mean of its own seeds ({seeds}).",
    ja: "1 点が 1 件の候補、それぞれのシード（{seeds} 個）の平均。",
  },
  "study.chart_ranked_raced": {
    en: "Each point is one candidate, mean of its own seeds ({seeds}); those on most seeds first, then best first.",
    ja: "1 点が 1 件の候補、それぞれのシード（{seeds} 個）の平均。シードの多い順、次に良い順。",
  },
  "study.chart_left_out": {
    en: "Only the {shown} of {count} that ran on at least {seeds} seeds are drawn.",
    ja: "{count} 件のうち {seeds} シード以上で実行した {shown} 件だけを表示。",
  },
  "study.held_out_rules": {
    en: "The best candidate and the scenario as written ran on all of them, the rules on the first {count}; each difference is of the seeds of both.",
    ja: "最良の候補と現状はそのすべて、規則は最初の {count} シードで実行。差は両方に共通のシードによる。",
  },
  "study.candidates_intro_raced": {
    en: "Those on most seeds first, then best first. Candidates run on the first ones of the same seeds (common random numbers), so that differences have less variance; who is behind leaves early. Means on different numbers of seeds also differ by these seeds.",
    ja: "シードの多い順、次に良い順。候補は同じシードの最初のものを使うため（共通乱数）、差のばらつきが小さい。劣るものは先に離脱する。シード数の異なる平均には、シードによる差もある。",
  },
  "study.candidates_intro_search": {
    en: "These are the finalists of a search of {evaluations} evaluations. Those on most seeds first, then best first. Finalists run on the first ones of the same seeds (common random numbers), so that differences have less variance; who is behind leaves early. Means on different numbers of seeds also differ by these seeds.",
    ja: "{evaluations} 回の評価による探索の最後に残った候補。シードの多い順、次に良い順。候補は同じシードの最初のものを使うため（共通乱数）、差のばらつきが小さい。劣るものは先に離脱する。シード数の異なる平均には、シードによる差もある。",
  },
  "study.seeds_head": { en: "Seeds", ja: "シード" },
  "study.one_caption_raced": {
    en: "Change of {figure} with one parameter at its lowest or highest value and the others as written: mean over {count}\u00a0seeds. The table has the intervals.",
    ja: "1 つのパラメーターを最小または最大の値にし、ほかは現状のままとしたときの{figure}の変化：{count} シードの平均。信頼区間は表にある。",
  },
  "study.heat_caption_raced": {
    en: "{figure} minus that of the scenario as written, paired by seed, mean over the seeds of each candidate: few where it left early; {first} on the horizontal axis, {second} on the vertical axis; stronger is higher. Empty cells: refused.",
    ja: "{figure}から現状の値を引いた差、シードごと、各候補のシードの平均（先に離脱した候補は少数のシード）。横軸は {first}、縦軸は {second}、色が強いほど大きい。空欄は拒否。",
  },
  "study.front_three": {
    en: "Rings are the Pareto front of these two figures and {figure}: one of the three gets better only where another gets worse.",
    ja: "輪はこの 2 つと{figure}のパレート最適：3 つの 1 つを良くすると、ほかが悪くなる。",
  },
  "study.front_hollow": {
    en: "Hollow: on the front in fewer than half of the resamples of the seeds.",
    ja: "白抜き：シードを再抽出したとき、線の上に残るのが半数未満の候補。",
  },
  "study.front_raced": {
    en: "Points of the front may have left the race early: who wants the whole front at best uses allocation: equal.",
    ja: "線の上の候補の一部は、絞り込みで先に離脱した可能性がある。全体を最もよく求めるには allocation: equal とする。",
  },
  "study.search_caption_raced": {
    en: "Best {figure} of each generation, by number of evaluations. Each generation has {seeds} seeds of its own, so its values also differ from others by these seeds. The search ended because its budget was used up, after {count} {count|restart|restarts}.",
    ja: "評価の回数に対する、各世代の最良の{figure}。世代ごとに別の {seeds} シードを使うため、値にはシードによる差もある。再始動 {count} 回の後、予算を使い切って終了。",
  },
  "study.method_raced": {
    en: "Candidates run in rounds, each on twice the seeds: who is behind leaves after a round (sequential halving). Intervals are Student's t at {share} over the seeds of a candidate, individually; with few seeds and rare outages their coverage is somewhat lower. Statements about held-out seeds, and about all candidates of at least {seeds} seeds, hold simultaneously (Bonferroni); probabilities are of a flat prior and normal differences. A candidate is feasible if every constraint is satisfied on every seed on which it ran; of equal candidates the first is the best.",
    ja: "候補は段階ごとに 2 倍のシードで実行し、劣るものは離脱する（逐次半減法）。信頼区間は各候補のシードのスチューデントの t 分布による {share} の区間で、個別に成り立つ。シードが少なく停止がまれなときの被覆率はやや低い。検証用シードについての記述と、{seeds} シード以上の候補すべてについての記述は、それぞれ同時に成り立つ（ボンフェローニ法）。確率は一様な事前分布と正規分布の差による。実行したすべてのシードですべての制約を満たす候補を実行可能とし、同等の候補では最初のものを最良とする。",
  },
  "study.on_worst": { en: "{figure} on the worst {share} of the seeds", ja: "悪い方から {share} のシードでの{figure}" },
  "study.method_tail": {
    en: "The objective is a mean of the worst seeds: its intervals, and those of its differences, are percentiles of 1,000 resamples of the seeds (bootstrap), and candidates of fewer than {count} seeds are ranked by the mean.",
    ja: "目的は悪い方のシードの平均で、その信頼区間と差の信頼区間は、シードの 1,000 回の再標本化の百分位数（ブートストラップ法）。{count} シード未満の候補は平均の順とする。",
  },
  "study.method_few_seeds": {
    en: "With fewer than {count} seeds each candidate runs on all of them.",
    ja: "{count} シード未満では、各候補をすべてのシードで実行する。",
  },
  "study.rounds": { en: "Candidates left by number of seeds", ja: "シード数ごとに残った候補" },
  "study.rounds_left": { en: "Candidates left", ja: "残った候補" },
  "study.rounds_caption": {
    en: "One step is a round; the scenario as written and the rules of weights count too.",
    ja: "1 段が 1 回の絞り込み。現状と配分比の規則も数える。",
  },
  "study.round": {
    en: "{count}\u00a0{count|candidate|candidates} to {seeds}\u00a0{seeds|seed|seeds}",
    ja: "{seeds} シードまで {count} 件",
  },
  "study.print_head_raced": {
    en: "{study}: a race of {candidates} candidates ({method}) on {seeds} seeds, {infeasible} infeasible, {refused} refused",
    ja: "{study}：{candidates} 件の候補（{method}）を {seeds} シードで絞り込み、実行不可 {infeasible}、拒否 {refused}",
  },
  "study.print_head_search": {
    en: "{study}: a search of {evaluations} evaluations and a race of its {candidates} finalists on {seeds} seeds, {infeasible} infeasible, {refused} refused",
    ja: "{study}：{evaluations} 回の評価で探索し、最後に残る {candidates} 件を {seeds} シードで絞り込み、実行不可 {infeasible}、拒否 {refused}",
  },
} as const;
