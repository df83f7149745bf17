import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { buildOpenApiDocument } from '../openapi/document.ts';
import type { Operation } from '../operation.ts';
import { allOperations } from '../operations.ts';
import { CONTRACT_VERSION } from '../version.ts';
import { writeOperationTable } from './operation-table.ts';
import { readTypeImports, writePythonTypes } from './python.ts';
import type { Document, Schema } from './schema.ts';
import { writeTypeScriptTypes } from './typescript.ts';

const repository = new URL('../../../', import.meta.url);
const document = JSON.parse(
  JSON.stringify(buildOpenApiDocument(allOperations, CONTRACT_VERSION)),
) as Document;

const read = (path: string) => readFile(new URL(path, repository), 'utf8');

describe('the committed client types are current (npm run openapi writes them)', () => {
  it('in TypeScript', async () => {
    expect(await read('sdk/src/wire-types.generated.ts')).toBe(writeTypeScriptTypes(document));
  });

  it('in Python, limited to the types that the client imports', async () => {
    const folder = 'clients/python/src/earshot/';
    const files = (await readdir(new URL(folder, repository))).filter((name) => name.endsWith('.py'));
    const sources = await Promise.all(files.map((name) => read(`${folder}${name}`)));
    const names = sources.flatMap(readTypeImports);
    expect(names).toContain('FullResult');
    expect(await read(`${folder}_types.py`)).toBe(writePythonTypes(document, names));
  });
});

describe('a named schema', () => {
  const song: Schema = {
    type: 'object',
    description: 'A song',
    properties: {
      bpm: { type: ['number', 'null'], description: 'Beats a minute' },
      key: { anyOf: [{ enum: ['C', 'C#'] }, { type: 'null' }] },
      beats: {
        type: 'array',
        items: {
          type: 'object',
          properties: { time_seconds: { type: 'number' } },
          required: ['time_seconds'],
        },
      },
      tags: { type: 'object', additionalProperties: { type: 'string' } },
      status: { $ref: '#/components/schemas/Status' },
      extra: {},
      takes: {
        type: 'array',
        items: { anyOf: [{ type: 'object', properties: { id: { type: 'string' } } }, { type: 'null' }] },
      },
      quote: { enum: ["it's", 'a\\b'] },
      number: { anyOf: [{ type: 'string' }, { type: 'string' }, { type: ['integer', 'number', 'null'] }] },
    },
    required: ['bpm', 'key', 'beats'],
  };
  const small = { paths: {}, components: { schemas: { Status: { enum: ['queued', 'done'] }, Song: song } } };

  it('becomes a plain type in TypeScript', () => {
    expect(writeTypeScriptTypes(small)).toContain(`export type Status = 'queued' | 'done';

/** A song */
export type Song = {
  /** Beats a minute */
  bpm: number | null;
  key: 'C' | 'C#' | null;
  beats: {
    time_seconds: number;
  }[];
  tags?: Record<string, string>;
  status?: Status;
  extra?: unknown;
  takes?: ({
    id?: string;
  } | null)[];
  quote?: 'it\\'s' | 'a\\\\b';
  number?: string | number | null;
};
`);
  });

  it('becomes a TypedDict in Python, with optional members in a separate class', () => {
    expect(writePythonTypes(small, ['Song'])).toContain(`Status = Literal["queued", "done"]


class SongBeatsItem(TypedDict):
    time_seconds: float


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
    number: Union[str, Optional[Union[int, float]]]
`);
  });

  it('is omitted in Python if nothing imported refers to it', () => {
    expect(writePythonTypes(small, ['Status'])).not.toContain('Song');
    expect(() => writePythonTypes(small, ['Singer'])).toThrow('Singer');
  });

  it('is found in any import from _types in Python', () => {
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

/** A document with these named schemas and no operations. */
const withSchemas = (schemas: Record<string, Schema>): Document => ({ paths: {}, components: { schemas } });

it('an operation has its parameters, body and 2xx responses in TypeScript, and no errors or headers', () => {
  const song = { $ref: '#/components/schemas/Song' };
  const paths: Document['paths'] = {
    '/songs/{id}': {
      put: {
        operationId: 'replaceSong',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'dry', in: 'query', required: false, description: 'Checks', schema: { type: 'boolean' } },
          { name: 'if-match', in: 'header', required: true, schema: { type: 'string' } },
        ],
        requestBody: { content: { 'application/json': { schema: song } } },
        responses: {
          200: { content: { 'application/json': { schema: { type: 'integer' } } } },
          202: { content: { 'application/json': { schema: { type: 'string' } } } },
          204: {},
          404: { content: { 'application/json': { schema: song } } },
        },
      },
    },
    '/songs/{id}/file': {
      get: { operationId: 'getFile', responses: { 200: { content: { 'audio/wav': { schema: {} } } } } },
    },
  };
  expect(writeTypeScriptTypes({ ...withSchemas({}), paths })).toContain(`export type Operations = {
  replaceSong: {
    params: {
      id: string;
    };
    query: {
      /** Checks */
      dry?: boolean;
    };
    body: Song;
    response: number | string | undefined;
  };
  getFile: {
    params: undefined;
    query: undefined;
    body: undefined;
    response: undefined;
  };
};
`);
});

it('the table of operations has method, path and idempotency, and neither raw bodies nor operational routes', () => {
  const base = {
    summary: '',
    tag: '',
    surface: 'both',
    policy: { access: 'public' },
    responses: {},
  } as const;
  const operations: Operation[] = [
    { ...base, id: 'getSong', method: 'GET', path: '/songs/{id}' },
    { ...base, id: 'createSong', method: 'POST', path: '/songs', idempotent: true },
    { ...base, id: 'getHealth', method: 'GET', path: '/health', surface: 'operational' },
    {
      ...base,
      id: 'uploadSong',
      method: 'PUT',
      path: '/songs/{id}/file',
      rawBody: { contentType: 'audio/wav', description: '', as: 'stream' },
    },
  ];
  expect(writeOperationTable(operations)).toContain(`export const OPERATION_TABLE = {
  getSong: ['GET', '/songs/{id}'],
  createSong: ['POST', '/songs', true],
} as const;
`);
});

const objectWith = (name: string): Schema => ({ type: 'object', properties: { [name]: { type: 'string' } } });

it.each<[string, Record<string, Schema>]>([
  [
    'of two objects for one member',
    { Song: { type: 'object', properties: { take: { anyOf: [objectWith('a'), objectWith('b')] } } } },
  ],
  ['of an object or null with a name', { SongTake: { anyOf: [objectWith('a'), { type: 'null' }] } }],
  [
    'of a member and of a schema',
    { Song: { type: 'object', properties: { take: objectWith('a') } }, SongTake: objectWith('b') },
  ],
])('two types %s that would have one name in Python are an error', (_, schemas) => {
  expect(() => writePythonTypes(withSchemas(schemas), [])).toThrow('two types named SongTake');
});

describe('characters with a meaning in the target language', () => {
  it('are quoted in names and escaped in comments in TypeScript', () => {
    const properties = { 'x-id': { type: 'string', description: 'Ends */ here' } };
    expect(writeTypeScriptTypes(withSchemas({ Odd: { type: 'object', properties } }))).toContain(
      "export type Odd = {\n  /** Ends * / here */\n  'x-id'?: string;\n};\n",
    );
  });

  it('are escaped in the docstrings of Python', () => {
    const description = 'A \\ and """ and "end"';
    const schema = { type: 'object', properties: { odd: { const: true, description } } };
    expect(writePythonTypes(withSchemas({ Box: schema }), ['Box'])).toContain(
      `    odd: Literal[True]\n    """A \\\\ and ''' and "end" """\n`,
    );
  });

  it.each(['class', 'x-id', '1st'])('make %j an invalid member name in Python', (name) => {
    const document = withSchemas({ Odd: { type: 'object', properties: { [name]: {} } } });
    expect(() => writePythonTypes(document, ['Odd'])).toThrow(`Odd.${name} is not a valid name in Python`);
  });
});

it.each<[string, object]>([
  ['allOf', { allOf: [] }],
  ['oneOf', { oneOf: [] }],
  ['not', { not: {} }],
  ['an unknown type', { type: 'tuple' }],
])('a schema with %s is an error, not an unknown type', (_, schema) => {
  expect(() => writeTypeScriptTypes(withSchemas({ Odd: schema }))).toThrow('no client type');
});

it('a parameter with a fixed choice of values becomes a named type in Python', () => {
  const parameters = [{ name: 'format', in: 'path', required: true, schema: { enum: ['midi', 'csv'] } }];
  const paths = { '/x': { get: { operationId: 'exportSong', parameters, responses: {} } } };
  expect(writePythonTypes({ ...withSchemas({}), paths }, ['ExportSongFormat'])).toContain(
    'ExportSongFormat = Literal["midi", "csv"]\n',
  );
});
