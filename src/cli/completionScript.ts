import type { Command } from "commander";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

interface CommandWords {
  readonly name: string;
  readonly description: string;
  /** Commands below it. */
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly { readonly flag: string; readonly description: string }[];
}

/** A shell script that completes commands, options and file names, generated from the definitions of the commands. */
export function completionScript(shell: Shell, program: Command): string {
  const commands = program.commands.map(wordsOf);
  if (shell === "fish") return fishScript(commands);
  return shell === "zsh"
    ? `autoload -U +X compinit && compinit\n${ZSH_BASHCOMPINIT}${bashScript(commands)}`
    : bashScript(commands);
}

/** The words of a command; it includes the options of its subcommands. */
function wordsOf(command: Command): CommandWords {
  const all = [command, ...command.commands].flatMap(({ options }) => options);
  const descriptions = new Map(all.map(({ long, description }) => [long ?? "", description]));
  return {
    name: command.name(),
    description: command.description(),
    subcommands: command.commands.map((below) => ({ name: below.name(), description: below.description() })),
    options: [
      ...[...descriptions].map(([flag, description]) => ({ flag, description })),
      { flag: "--help", description: "display help for command" },
    ],
  };
}

const ZSH_BASHCOMPINIT = "autoload -U +X bashcompinit && bashcompinit\n";

function bashScript(commands: readonly CommandWords[]): string {
  const cases = commands.map(
    ({ name, options, subcommands }) =>
      `    ${name}) words="${options.map(({ flag }) => flag).join(" ")}"; below="${subcommands.map((below) => below.name).join(" ")}" ;;`,
  );
  return `_vppsim() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="" below=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")} --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) if [ "$COMP_CWORD" -eq 2 ] && [ -n "$below" ]; then COMPREPLY=($(compgen -W "$below" -- "$current")); fi ;;
  esac
}
complete -o default -F _vppsim vppsim
`;
}

function fishScript(commands: readonly CommandWords[]): string {
  const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  return commands
    .flatMap(({ name, description, options, subcommands }) => [
      `complete -c vppsim -n __fish_use_subcommand -f -a ${name} -d ${quoted(description)}`,
      ...subcommands.map(
        (below) =>
          `complete -c vppsim -n '__fish_seen_subcommand_from ${name}' -f -a ${below.name} -d ${quoted(below.description)}`,
      ),
      ...options.map(
        ({ flag, description: meaning }) =>
          `complete -c vppsim -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)} -d ${quoted(meaning)}`,
      ),
    ])
    .map((line) => `${line}\n`)
    .join("");
}
