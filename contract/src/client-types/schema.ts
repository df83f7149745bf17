/** Reads the OpenAPI document for the type generators of all clients. Only the parts of JSON Schema that our document uses are known. */

export type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: string | number | boolean;
  enum?: (string | number)[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  description?: string;
};

export type Document = {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema> };
};

type DocumentedOperation = {
  operationId: string;
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
};

export type Member = { name: string; schema: Schema; required: boolean; description: string | null };

/**
 * What a type can express of a schema. Bounds, patterns and conditions are left to the service. So are additional members of an object
 * that declares some: an index signature beside them would let a misspelt name compile.
 */
export type Shape =
  | { kind: 'named'; name: string }
  | { kind: 'literals'; values: (string | number | boolean)[] }
  | { kind: 'union'; schemas: Schema[] }
  | { kind: 'primitive'; type: 'string' | 'number' | 'integer' | 'boolean' | 'null' }
  | { kind: 'list'; items: Schema }
  | { kind: 'object'; members: Member[] }
  | { kind: 'map'; values: Schema }
  | { kind: 'anything' };

export function shapeOf(schema: Schema): Shape {
  for (const keyword of ['allOf', 'oneOf', 'not']) {
    if (keyword in schema) throw new Error(`There is no client type for ${keyword}`);
  }
  if (schema.$ref !== undefined) return { kind: 'named', name: schema.$ref.split('/').at(-1)! };
  if (schema.const !== undefined) return { kind: 'literals', values: [schema.const] };
  if (schema.enum) return { kind: 'literals', values: schema.enum };
  if (schema.anyOf) return { kind: 'union', schemas: schema.anyOf };
  if (Array.isArray(schema.type)) {
    return { kind: 'union', schemas: schema.type.map((type) => ({ ...schema, type })) };
  }
  return shapeOfType(schema);
}

function shapeOfType(schema: Schema): Shape {
  const { type, properties, additionalProperties } = schema;
  switch (type) {
    case 'string':
    case 'number':
    case 'integer':
    case 'boolean':
    case 'null':
      return { kind: 'primitive', type };
    case 'array':
      return { kind: 'list', items: schema.items ?? {} };
    case 'object':
      if (properties && Object.keys(properties).length > 0) {
        return { kind: 'object', members: membersOf(schema) };
      }
      return { kind: 'map', values: typeof additionalProperties === 'object' ? additionalProperties : {} };
    case undefined:
      return { kind: 'anything' };
    default:
      throw new Error(`There is no client type for the schema type ${JSON.stringify(type)}`);
  }
}

function membersOf({ properties = {}, required = [] }: Schema): Member[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
    description: schema.description ?? null,
  }));
}

type OperationTypes = {
  id: string;
  params: Member[];
  query: Member[];
  /** Null if there is no JSON body. */
  body: Schema | null;
  /** One for every 2xx response; null for a response without JSON. */
  responses: (Schema | null)[];
};

/** The types of every operation, in the order of the document. */
export function listOperationTypes({ paths }: Document): OperationTypes[] {
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId, parameters = [], requestBody, responses }) => {
      const parametersIn = (place: string): Member[] =>
        parameters
          .filter((parameter) => parameter.in === place)
          .map(({ name, schema, required, description }) => ({
            name,
            schema,
            required,
            description: description ?? null,
          }));
      return {
        id: operationId,
        params: parametersIn('path'),
        query: parametersIn('query'),
        body: requestBody?.content['application/json']?.schema ?? null,
        responses: Object.entries(responses)
          .filter(([status]) => status.startsWith('2'))
          .map(([, { content }]) => content?.['application/json']?.schema ?? null),
      };
    }),
  );
}
