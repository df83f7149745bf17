import { operations } from '@earshot/contract';
import { COLLECTION_EXPORTS, EXPORTS } from '@earshot/exports';
import { expect, test } from 'vitest';

test('the document names the content type of every format', () => {
  const documented = ({
    contentType,
    otherContentTypes,
  }: {
    contentType: string;
    otherContentTypes: readonly string[];
  }) => [contentType, ...otherContentTypes].sort();
  const sent = (formats: Record<string, { contentType: string }>) =>
    [...new Set(Object.values(formats).map(({ contentType }) => contentType.split(';')[0]))].sort();
  expect(documented(operations.analyses.exportAnalysis.responses[200])).toEqual(sent(EXPORTS));
  expect(documented(operations.collections.exportCollection.responses[200])).toEqual(
    sent(COLLECTION_EXPORTS),
  );
});
