import type { ReactNode } from 'react';
import type { Loaded } from '../use-load.ts';
import { Failed } from './failed.tsx';
import { Loading } from './loading.tsx';

/** Renders what `useLoad` returns: a loading message, an error with a retry, or the children. */
export function LoadedView<T>(props: {
  loaded: Loaded<T>;
  reload: () => void;
  children: (value: T) => ReactNode;
}) {
  const { loaded, reload, children } = props;
  if (loaded.state === 'loading') return <Loading reload={reload} />;
  if (loaded.state === 'failed') return <Failed error={loaded.error} reload={reload} />;
  return <>{children(loaded.value)}</>;
}
