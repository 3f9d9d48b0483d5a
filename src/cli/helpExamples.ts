import { EXIT_STATUS } from "./exitStatus.ts";

/** Examples at the end of each command's `--help`. */
export const HELP_EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  run: [
    "vppsim run my-fleet/scenario.yaml",
    "vppsim run my-fleet/scenario.yaml --seed 2 --out reports/other --open",
    "vppsim run my-fleet/scenario.yaml --patch best.patch.yaml --tz Europe/Berlin",
    "vppsim run portfolio/scenario.yaml --redis redis://127.0.0.1:6379",
  ],
  validate: ["vppsim validate my-fleet/scenario.yaml"],
  study: [
    "vppsim study my-fleet/weights.study.yaml --open",
    "vppsim study my-fleet/weights.study.yaml --workers 4 --resume",
  ],
  worker: ["vppsim worker --redis redis://127.0.0.1:6379"],
  baseline: ["vppsim baseline my-fleet/scenario.yaml --site factory"],
  init: [
    "vppsim init",
    "vppsim init my-fleet",
    "vppsim init tutorial --files",
    "vppsim init fleet-year --example fleet-year",
    "vppsim init my-market --from spot_summary_2026.csv,202606_1-0_prompt.csv,tokyo.epw --area tokyo --kw 2000",
  ],
  import: [
    "vppsim import --detect downloads/*.csv",
    "vppsim import jepx_spot spot_summary_2026.csv --area tokyo --preview",
    "vppsim import jepx_spot spot_summary_2025.csv spot_summary_2026.csv --area tokyo --out my-fleet",
    "vppsim import table meter.csv --column load_kw=需要電力(kW) --out my-fleet",
  ],
  compare: [
    "vppsim compare reports/before reports/after --out reports/compared --open",
    "vppsim compare reports/year reports/larger --capex 35000 --lifetime 15",
  ],
  explain: ["vppsim explain reports/my-vpp morning", "vppsim explain reports/my-vpp morning --tz UTC --json"],
  verify: ["vppsim verify reports/my-vpp --scenario my-fleet/scenario.yaml", "vppsim verify report.zip --json"],
  plan: [
    "vppsim plan my-fleet/scenario.yaml --forecast perfect",
    "vppsim plan my-fleet/scenario.yaml --cycles-per-day 1.5 --reserve frr --reserve-price 3 --out reports/plan",
  ],
  settle: [
    "vppsim settle reports/my-vpp --scenario other-prices.yaml",
    "vppsim settle reports/my-vpp --scenario other-prices.yaml --out reports/settled",
  ],
  serve: ["vppsim serve my-fleet/scenario.yaml --paused", "vppsim serve my-fleet/scenario.yaml --speed 60 --port 9000"],
  drill: [
    "vppsim drill list",
    "vppsim drill run first-steps --open",
    "vppsim drill run storm --script my-actions.yaml --out reports/storm",
    "vppsim drill run integrator --speed 10 -- node my-client.js",
    "vppsim drill serve storm --instructor-token-file token.txt",
    "vppsim drill grade session.yaml --json",
  ],
  twin: [
    "vppsim twin import https://vpp.example --vpp 4f… --auth-url https://auth.example --token-file token.txt --out twin",
    "vppsim twin calibrate twin/scenario.yaml --from-import --to 2026-04-10T00:00:00+09:00 --out twin/calibration",
    "vppsim twin check twin/scenario.yaml --from-import --patch twin/calibration/calibration.patch.yaml --from 2026-04-10T00:00:00+09:00 --to 2026-04-15T00:00:00+09:00 --out twin/check",
  ],
  playground: ["vppsim playground --open", "vppsim playground my-fleet/scenario.yaml --port 0"],
  completion: [
    "source <(vppsim completion bash)",
    "source <(vppsim completion zsh)",
    "vppsim completion fish > ~/.config/fish/completions/vppsim.fish",
  ],
};

/** Documents of the package that tell more of each command. */
export const HELP_DOCUMENTS: Readonly<Record<string, readonly string[]>> = {
  run: ["docs/model/scenario-format.md", "docs/model/report-files.md", "docs/model/accounting.md", "docs/scaling.md"],
  validate: ["docs/model/scenario-format.md", "docs/schema/scenario.schema.json"],
  study: ["docs/studies.md", "docs/model/studies.md"],
  worker: ["docs/studies.md", "docs/scaling.md"],
  baseline: ["docs/model/baselines.md"],
  init: ["docs/commands.md", "docs/tutorial.md", "docs/markets.md"],
  import: ["docs/markets.md", "docs/model/formats.md"],
  compare: ["docs/commands.md", "docs/model/report-files.md", "docs/model/accounting.md"],
  explain: ["docs/commands.md", "docs/model/report-files.md", "docs/model/accounting.md"],
  verify: ["docs/commands.md", "docs/model/report-files.md"],
  plan: ["docs/model/planning.md"],
  settle: ["docs/markets.md", "docs/model/settlement.md"],
  serve: ["docs/sandbox.md", "docs/model/apis.md", "docs/model/sandbox.md"],
  drill: ["docs/drills.md", "docs/training.md"],
  twin: ["docs/twin.md", "docs/model/twin.md"],
  playground: ["docs/commands.md"],
  completion: ["docs/commands.md"],
};

/** Of the program as a whole. */
export const GENERAL_DOCUMENTS = [
  "README.md",
  "docs/tutorial.md",
  "docs/commands.md",
  "docs/markets.md",
  "docs/studies.md",
  "docs/sandbox.md",
  "docs/model/README.md",
];

export const helpList = (title: string, lines: readonly string[]): string =>
  `\n${title}:\n${lines.map((line) => `  ${line}`).join("\n")}\n`;

/** The end of every `--help`. */
export function helpEnd(documents: readonly string[]): string {
  const { done, failed, badInput } = EXIT_STATUS;
  const statuses = [
    `${done}  done`,
    `${failed}  the run failed, or was stopped`,
    `${badInput}  bad usage or bad input; nothing was run`,
  ];
  return `${helpList("Documents", documents)}${helpList("Exit status", statuses).trimEnd()}`;
}
