import { Component, type ReactNode } from 'react';

type Props = {
  children: ReactNode;
  /** A change of it tries again. */
  place: string;
};
type State = { error: Error | null; place: string };

/**
 * A part that cannot be loaded or drawn says so and offers another try; the rest of the page stays. The usual reason is a
 * new version of the service, whose parts have other names.
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
