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

  it('in Python, for the types that its files import', async () => {
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
      takes: {
        type: 'array',
        items: { anyOf: [{ type: 'object', properties: { id: { type: 'string' } } }, { type: 'null' }] },
      },
      quote: { enum: ["it's", 'a\\b'] },
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
  takes?: ({
    id?: string;
  } | null)[];
  quote?: 'it\\'s' | 'a\\\\b';
};
`);
  });

  it('is a TypedDict in Python, with optional members in a class of their own', () => {
    expect(writePythonTypes(small, ['Song'])).toContain(`Status = Literal["queued", "done"]


class SongBeatsItem(TypedDict):
    at: float


class SongTakesItem(TypedDict, total=False):
    id: str


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
    takes: List[Optional["SongTakesItem"]]
    quote: Literal["it's", "a\\\\b"]
`);
  });

  it('is left out in Python if none of the requested types needs it', () => {
    expect(writePythonTypes(small, ['Status'])).not.toContain('Song');
    expect(() => writePythonTypes(small, ['Singer'])).toThrow('Singer');
  });

  it('is requested in Python by an import', () => {
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
