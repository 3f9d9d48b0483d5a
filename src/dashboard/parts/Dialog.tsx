import { Modal, type ModalProps } from "@mantine/core";
import { type ReactNode, useLayoutEffect, useState } from "react";

interface DialogProps {
  readonly title: string;
  readonly size?: ModalProps["size"];
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A dialog for as long as it is rendered. It gives the focus back to where it was: the library does so only for dialogs that
 * stay rendered after they are closed.
 */
export function Dialog({ children, ...rest }: DialogProps) {
  const [opener] = useState(() => document.activeElement);
  useLayoutEffect(
    () => () => {
      // After the dialog has left the page, which takes the focus with it.
      if (opener instanceof HTMLElement) queueMicrotask(() => opener.focus({ preventScroll: true }));
    },
    [opener],
  );
  return (
    <Modal opened returnFocus={false} {...rest}>
      {children}
    </Modal>
  );
}
