import type { ReactNode } from 'react';
import type { Loaded } from '../use-load.ts';
import { Failed } from './failed.tsx';
import { Loading } from './loading.tsx';

/** What a person sees while it loads, when it failed, and when it is there: the same on every page. */
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
