import { z } from 'zod'
import { socketRequest } from './content/file-socket.ts'
import { fileOperations, operationPath } from './content/files.ts'
import { ERRORS, errorSpec, type ErrorName } from './errors/index.ts'
import { allRoutes, type RegisteredRoute } from './routes.ts'
import { inputCodesOf } from './input-codes.ts'
import type { Access, RouteSpec } from './wire/route.ts'

/** OpenAPI 3.1 for every route of the contract. Generated, committed and compared in `npm run check`. */

type Json = Readonly<Record<string, unknown>>

/** Errors that any call may return, besides its own. */
const GENERAL: readonly ErrorName[] = [
  'PARAMETER_INVALID',
  'RATE_LIMITED',
  'INTERNAL',
  'SERVICE_STOPPING',
  'SERVER_BUSY',
]

const DESCRIPTION = `The same operations serve the page, scripts and the desktop client.

A success answers HTTP 200 with \`{"code": 200, "data": …}\`. A business error answers HTTP 400 with
\`{"code": 1008, "message": "…", "data": {…}}\`; other statuses mean infrastructure. Act on the number:
docs/errors.md lists every one with its retry advice. Text is UTF-8, sizes are bytes, times are Unix
seconds unless a field says milliseconds.

The file operations under \`/api/files/\` are also served by the WebSocket \`/ws/files\` (docs/protocol-files.md;
its frames are the schema \`SocketRequest\`), uploads also by the tus 1.0 endpoint \`/files/uploads\`
(docs/protocol-upload.md).`

/**
 * The document; equal contracts give equal documents, byte for byte.
 * @param schemas what the server declares besides, such as its settings
 */
export function openApiDocument(version: string, schemas: Json = {}): Json {
  const routes = [...allRoutes(), ...carriedOperations()]
  const paths: Record<string, Record<string, Json>> = {}
  for (const { feature, name, spec } of routes) {
    const path = (paths[spec.path.replaceAll(/:(\w+)/g, '{$1}')] ??= {})
    path[spec.method.toLowerCase()] = operation(spec, feature, name)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Godwit HTTP API',
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description: DESCRIPTION,
    },
    // Relative to where the document is served, so it fits every installation.
    servers: [{ url: '/', description: 'The installation that serves this document' }],
    tags: [...new Set(routes.map(({ feature }) => feature))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of a sign-in, the grant of an upload, or an API credential.',
        },
      },
      schemas: { Failure: failureSchema(), SocketRequest: jsonSchema(socketRequest, 'input'), ...schemas },
    },
  }
}

/** The file operations as the HTTP carrier serves them. */
function carriedOperations(): readonly RegisteredRoute[] {
  return Object.values(fileOperations).map(({ name, summary, input, reply, errors, feature }) => ({
    feature: 'files',
    name,
    spec: {
      ...{ method: 'POST', path: operationPath(name), summary, access: 'user', body: input, reply, errors },
      ...(feature === undefined ? {} : { feature }),
    },
  }))
}

function operation(spec: RouteSpec, feature: string, name: string): Json {
  const parameters = [...parametersOf('path', spec.params), ...parametersOf('query', spec.query)]
  const body = bodyOf(spec)
  return {
    operationId: `${feature}.${name}`,
    tags: [feature],
    summary: spec.summary,
    'x-access': spec.access,
    security: spec.access === 'public' ? [] : [{ bearer: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: true, content: body } }),
    responses: { 200: success(spec), ...failures(spec) },
  }
}

function parametersOf(place: 'path' | 'query', schema: z.ZodObject | undefined): readonly Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !z.safeParse(field, undefined).success,
    schema: jsonSchema(field as z.ZodType, 'input'),
  }))
}

function bodyOf({ body, raw }: RouteSpec): Json | undefined {
  if (raw === 'request' || raw === 'both') return { 'application/octet-stream': {} }
  return body && { 'application/json': { schema: jsonSchema(body, 'input') } }
}

function success({ reply, raw }: RouteSpec): Json {
  if (raw === 'reply' || raw === 'both') {
    return { description: 'The bytes', content: { 'application/octet-stream': {} } }
  }
  const data = jsonSchema(reply, 'output')
  const schema = { type: 'object', required: ['code', 'data'], properties: { code: { const: 200 }, data } }
  return { description: 'Success', content: { 'application/json': { schema } } }
}

/** One response per HTTP status; it lists every code that it may carry. */
function failures({ access, feature, errors, params, query, body }: RouteSpec): Json {
  const ofEdition: readonly ErrorName[] = feature === undefined ? [] : ['EDITION_FEATURE_MISSING']
  const ofInputs = [params, query, body].flatMap((schema) => (schema === undefined ? [] : inputCodesOf(schema)))
  const names = [...new Set([...accessErrors(access), ...ofEdition, ...errors, ...ofInputs, ...GENERAL])]
  const byStatus = Map.groupBy(names, (name) => errorSpec(name).status ?? 400)
  const ascending = [...byStatus].toSorted(([left], [right]) => left - right)
  return Object.fromEntries(ascending.map(([status, codes]) => [status, failure(codes)]))
}

function accessErrors(access: Access): readonly ErrorName[] {
  if (typeof access === 'object') return ['TOKEN_INVALID', 'PERMISSION_DENIED']
  switch (access) {
    case 'public':
      return []
    case 'guest':
    case 'user':
    case 'session':
    case 'transfer':
      return ['TOKEN_INVALID']
  }
}

function failure(names: readonly ErrorName[]): Json {
  const specs = names.map((name) => ({ name, ...errorSpec(name) }))
  const codes = { properties: { code: { enum: specs.map(({ wire }) => wire) } } }
  return {
    description: specs.map(({ name, wire, retry }) => `- ${wire} ${name}, retry: ${retry}`).join('\n'),
    content: { 'application/json': { schema: { allOf: [{ $ref: '#/components/schemas/Failure' }, codes] } } },
  }
}

function failureSchema(): Json {
  const catalogue = Object.entries(ERRORS).map(([name, { wire }]) => `${wire} ${name}`)
  return {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { type: 'integer', description: `One of: ${catalogue.join(', ')}` },
      message: { type: 'string', description: 'For people, in the language of Accept-Language' },
      data: {
        type: 'object',
        description: 'Facts to act on, such as counts and seconds',
        properties: { requestId: { type: 'string', description: 'Names this call in the log of the server' } },
        additionalProperties: true,
      },
    },
  }
}

/** Without the bounds of safe integers, which would clutter every integer. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...document } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: node }) => {
      if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum
    },
  })
  return document
}
