import { Alert, type AlertProps } from "@mantine/core";

/** Why something was refused or failed. */
export function Refusal(props: AlertProps) {
  return <Alert role="alert" bg="var(--alarm-1-tint)" bd="1px solid var(--line-strong)" {...props} />;
}
