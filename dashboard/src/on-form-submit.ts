import type { FormEvent } from 'react';

/** A submit handler that receives the form's values and stays on the page. */
export const onFormSubmit =
  (handle: (values: FormData, form: HTMLFormElement) => void) =>
  (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    handle(new FormData(event.currentTarget), event.currentTarget);
  };
