import {
  ERROR_STATUS,
  type ErrorCode,
  FAILURE_CODES,
  type FailureCode,
  REFUSAL_TYPES,
  type RefusalType,
} from './error-codes.ts';
import { ERROR_MEANINGS, FAILURE_MEANINGS, REFUSAL_MEANINGS } from './error-meanings.ts';

/** The text of docs/errors.md: one anchor per code. */
export function buildErrorPage(): string {
  const codes = Object.keys(ERROR_STATUS) as ErrorCode[];
  const sorted = codes.toSorted((a, b) => ERROR_STATUS[a] - ERROR_STATUS[b] || a.localeCompare(b));
  return [
    HEAD,
    ...REFUSAL_TYPES.map(describeRefusal),
    CODES_HEAD,
    ...sorted.map(describeCode),
    FAILURE_HEAD,
    ...FAILURE_CODES.map(describeFailure),
    '',
  ].join('\n');
}

const HEAD = `# Errors

<!-- Written by \`npm run openapi\` from contract/src/error-meanings.ts. -->

Every response has an \`X-Request-Id\`; quote it when you report a problem.

## Invalid input

Status 422, on both surfaces, with one entry for each problem:

\`\`\`json
{
  "detail": [
    { "type": "missing", "loc": ["body", "email"], "msg": "Field required", "input": {} }
  ]
}
\`\`\`

\`loc\` starts with \`body\`, \`query\`, \`path\` or \`header\` and leads to the value; \`type\`, \`msg\` and \`ctx\` are those of
pydantic v2. Malformed JSON is also a 422, of type \`json_invalid\`, with the position of the error in \`loc\`. Fields that are not
in the document are rejected (\`extra_forbidden\`). A long \`input\` is shortened. Two types are our own, for what only
the service can know:
`;

const CODES_HEAD = `## All other errors

\`\`\`json
{ "detail": "A sentence you can act on.", "code": "not_found", "request_id": "req_5Q0ZrC1mXa8sKd2LwT7v" }
\`\`\`

\`code\` comes from the closed list below. A code is never renamed or given another meaning; \`detail\` may change.
`;

function describeRefusal(type: RefusalType): string {
  const { meaning, action, example } = REFUSAL_MEANINGS[type];
  return `### ${type}

${meaning}

What to do: ${action}

> ${example}
`;
}

function describeCode(code: ErrorCode): string {
  const { meaning, action, example } = ERROR_MEANINGS[code];
  return `### ${code}

Status ${ERROR_STATUS[code]}. ${meaning}

What to do: ${action}

> ${example}
`;
}

const FAILURE_HEAD = `## Why an analysis failed

A failed job is not an HTTP error: the status is 200, with \`status: "failed"\` in the body. On the workspace surface \`error\` is
\`{code, message, retryable}\`; on the key-based surface it is the message alone, next to \`error_code\` and \`retryable\`. A
failed job costs nothing: its credit is returned.
`;

function describeFailure(code: FailureCode): string {
  return `- \`${code}\`: ${FAILURE_MEANINGS[code]}`;
}
