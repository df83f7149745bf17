import { expect, it } from 'vitest';
import { EXCEPTIONS, exceptionFor } from './schema-exceptions.mjs';

const rating = {
  check: 'negative_data_rejection',
  operation: 'PATCH /v1/analyses/{job_id}',
  status: 200,
  answer: '{}',
  message: 'Invalid component: in body - rating: Incorrect type',
};
const cursor = {
  check: 'positive_data_acceptance',
  operation: 'GET /v1/analyses',
  status: 422,
  answer: '{"msg":"this is no cursor of this list"}',
  message: '',
};

it('a failure is intended if check, operation, status, answer and message are those of an exception', () => {
  for (const failure of [rating, cursor]) expect(EXCEPTIONS).toContain(exceptionFor(failure));
});

it.each([
  ['check', { ...rating, check: 'not_a_server_error' }],
  ['operation', { ...rating, operation: 'PATCH /v1/analyses/{job_id}/corrections' }],
  ['status', { ...rating, status: 500 }],
  ['message', { ...rating, message: 'Invalid component: in body - title: Incorrect type' }],
  ['answer', { ...cursor, answer: '{"msg":"something else"}' }],
])('a failure with another %s is unexpected', (_, failure) => {
  expect(exceptionFor(failure)).toBeNull();
});
