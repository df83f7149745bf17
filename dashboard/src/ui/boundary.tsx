import { Component, type ReactNode } from 'react';

type Props = {
  children: ReactNode;
  /** When it changes, the children are rendered again. */
  place: string;
};
type State = { error: Error | null; place: string };

/**
 * An error boundary: a part of the page that cannot be loaded or rendered is replaced by a message, and the rest stays. The usual cause
 * is a new version of the service, whose script files have other names.
 */
export class Boundary extends Component<Props, State> {
  override state: State = { error: null, place: this.props.place };

  static getDerivedStateFromError(error: Error): Partial<State> {
    return { error };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.place === state.place ? null : { error: null, place: props.place };
  }

  override render(): ReactNode {
    if (!this.state.error) return this.props.children;
    return (
      <div className="page-state" role="alert">
        <h1>This part of the page could not be loaded</h1>
        <p>
          {navigator.onLine
            ? 'Earshot may have been updated while this page was open.'
            : 'You seem to be offline.'}
        </p>
        <button type="button" className="main" onClick={() => window.location.reload()}>
          Load the page again
        </button>
        <p className="small">{this.state.error.message}</p>
      </div>
    );
  }
}
