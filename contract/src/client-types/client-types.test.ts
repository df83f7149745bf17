import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { buildOpenApiDocument } from '../openapi/document.ts';
import { allOperations } from '../operations.ts';
import { CONTRACT_VERSION } from '../version.ts';
import { readTypeImports, writePythonTypes } from './python.ts';
import type { Document, Schema } from './schema.ts';
import { writeTypeScriptTypes } from './typescript.ts';

const repository = new URL('../../../', import.meta.url);
const document = JSON.parse(
  JSON.stringify(buildOpenApiDocument(allOperations, CONTRACT_VERSION)),
) as Document;

const read = (path: string) => readFile(new URL(path, repository), 'utf8');

describe('types of the clients are current (npm run openapi writes them)', () => {
  it('in TypeScript', async () => {
    expect(await read('sdk/src/wire-types.generated.ts')).toBe(writeTypeScriptTypes(document));
  });

  it('in Python, as many as its files import', async () => {
    const folder = 'clients/python/src/earshot/';
    const files = (await readdir(new URL(folder, repository))).filter((name) => name.endsWith('.py'));
    const sources = await Promise.all(files.map((name) => read(`${folder}${name}`)));
    const names = sources.flatMap(readTypeImports);
    expect(names).toContain('FullResult');
    expect(await read(`${folder}_types.py`)).toBe(writePythonTypes(document, names));
  });
});

describe('a schema', () => {
  const song: Schema = {
    type: 'object',
    description: 'A song',
    properties: {
      bpm: { type: ['number', 'null'], description: 'Beats a minute' },
      key: { anyOf: [{ enum: ['C', 'C#'] }, { type: 'null' }] },
      beats: {
        type: 'array',
        items: { type: 'object', properties: { at: { type: 'number' } }, required: ['at'] },
      },
      tags: { type: 'object', additionalProperties: { type: 'string' } },
      status: { $ref: '#/components/schemas/Status' },
      extra: {},
    },
    required: ['bpm', 'key', 'beats'],
  };
  const small = { paths: {}, components: { schemas: { Status: { enum: ['queued', 'done'] }, Song: song } } };

  it('is a plain type in TypeScript', () => {
    expect(writeTypeScriptTypes(small)).toContain(`export type Status = 'queued' | 'done';

/** A song */
export type Song = {
  /** Beats a minute */
  bpm: number | null;
  key: 'C' | 'C#' | null;
  beats: {
    at: number;
  }[];
  tags?: Record<string, string>;
  status?: Status;
  extra?: unknown;
};
`);
  });

  it('is a TypedDict in Python, with what may be missing in a class of its own', () => {
    expect(writePythonTypes(small, ['Song'])).toContain(`Status = Literal["queued", "done"]


class SongBeatsItem(TypedDict):
    at: float


class _SongRequired(TypedDict):
    bpm: Optional[float]
    """Beats a minute"""
    key: Optional[Literal["C", "C#"]]
    beats: List["SongBeatsItem"]


class Song(_SongRequired, total=False):
    """A song"""

    tags: Dict[str, str]
    status: "Status"
    extra: Any
`);
  });

  it('is left out in Python when nothing that is asked for is made of it', () => {
    expect(writePythonTypes(small, ['Status'])).not.toContain('Song');
    expect(() => writePythonTypes(small, ['Singer'])).toThrow('Singer');
  });

  it('is asked for by an import', () => {
    const source = `from ._types import (
    Song,
    Status,
)
from ._types import Singer as Artist
from ._errors import Failure
`;
    expect(readTypeImports(source)).toEqual(['Song', 'Status', 'Singer']);
  });
});
