import type { FormEvent } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { onFormSubmit } from './on-form-submit.ts';

afterEach(() => vi.unstubAllGlobals());

it('hands over the values of the submitted form and stops the browser from leaving the page', () => {
  vi.stubGlobal(
    'FormData',
    class {
      constructor(readonly of: unknown) {}
    },
  );
  const form = {} as HTMLFormElement;
  const preventDefault = vi.fn();
  const handle = vi.fn();
  onFormSubmit(handle)({ currentTarget: form, preventDefault } as unknown as FormEvent<HTMLFormElement>);
  expect(preventDefault).toHaveBeenCalledOnce();
  expect(handle).toHaveBeenCalledExactlyOnceWith({ of: form }, form);
});
