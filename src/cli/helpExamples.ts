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
    "vppsim init fleet-year --example fleet-year",
    "vppsim init my-market --from spot_summary_2026.csv,202606_1-0_prompt.csv,tokyo.epw --area tokyo --kw 2000",
  ],
  import: [
    "vppsim import --detect downloads/*.csv",
    "vppsim import jepx_spot spot_summary_2026.csv --area tokyo --preview",
    "vppsim import jepx_spot spot_summary_2025.csv spot_summary_2026.csv --area tokyo --out my-fleet",
    "vppsim import table meter.csv --column load_kw=需要電力(kW) --out my-fleet",
  ],
  compare: ["vppsim compare reports/before reports/after --out reports/compared --open"],
  explain: ["vppsim explain reports/my-vpp morning", "vppsim explain reports/my-vpp morning --tz UTC --json"],
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
  completion: [
    "source <(vppsim completion bash)",
    "source <(vppsim completion zsh)",
    "vppsim completion fish > ~/.config/fish/completions/vppsim.fish",
  ],
};
