import { Component, type ReactNode } from "react";
import { Refusal } from "../parts/Refusal.tsx";

interface ErrorBoundaryProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** Shows what failed in its place, so that the rest of the page works on. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <Refusal title={this.props.title} m="md">
        {error.message}
      </Refusal>
    );
  }
}
