import { describe, expect, it } from 'vitest'
import { fileOperations } from './content/files.ts'
import { ERRORS, errorSpec } from './errors/index.ts'
import { openApiDocument } from './openapi.ts'
import { allRoutes } from './routes.ts'

interface Operation {
  readonly operationId: string
  readonly security: readonly unknown[]
  readonly parameters?: ReadonlyArray<{ readonly name: string; readonly in: string; readonly required: boolean }>
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: object }>>
}

const DOCUMENT = openApiDocument('1.2.3')
const PATHS = DOCUMENT['paths'] as Readonly<Record<string, Readonly<Record<string, Operation>>>>
const operationOf = (method: string, path: string): Operation => {
  const found = PATHS[path]?.[method]
  if (found === undefined) throw new Error(`${method} ${path} is not in the document`)
  return found
}

describe('OpenAPI document', () => {
  it('is version 3.1 with one bearer scheme', () => {
    expect(DOCUMENT).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: '/' }],
      info: { title: 'Godwit HTTP API', version: '1.2.3' },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    })
  })

  it.each(allRoutes())('holds $feature.$name with each of its errors by number', ({ feature, name, spec }) => {
    const operation = operationOf(spec.method.toLowerCase(), spec.path.replaceAll(/:(\w+)/g, '{$1}'))
    expect(operation.operationId).toBe(`${feature}.${name}`)
    for (const error of spec.errors) {
      const { wire, status = 400 } = errorSpec(error)
      expect(operation.responses[status]?.description).toContain(`- ${wire} ${error}, retry: `)
    }
  })

  it('holds every file operation as a POST', () => {
    expect(Object.keys(PATHS)).toEqual(
      expect.arrayContaining(Object.keys(fileOperations).map((name) => `/api/files/${name}`)),
    )
  })

  it('asks for the token everywhere but on public routes, and says so among the errors', () => {
    expect(operationOf('post', '/api/user/login').security).toEqual([])
    expect(operationOf('get', '/api/user/info').security).toEqual([{ bearer: [] }])
    expect(operationOf('get', '/api/user/info').responses[400]?.description).toContain('1009 TOKEN_INVALID')
    expect(operationOf('post', '/api/user/login').responses[400]?.description).not.toContain('TOKEN_INVALID')
  })

  it('names path and query parameters and whether they are needed', () => {
    const part = operationOf('put', '/api/uploads/{uploadId}/parts/{offset}')
    expect(part.parameters?.map(({ name, in: place, required }) => [name, place, required])).toEqual([
      ['uploadId', 'path', true],
      ['offset', 'path', true],
    ])
    expect(part.requestBody?.content).toEqual({ 'application/octet-stream': {} })
    expect(operationOf('get', '/api/user/info').parameters).toMatchObject([{ name: 'spaceId', required: false }])
  })

  it('lists the whole catalogue with the failure, and no bounds that every integer has', () => {
    const text = JSON.stringify(DOCUMENT)
    for (const [name, { wire }] of Object.entries(ERRORS)) expect(text).toContain(`${wire} ${name}`)
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER))
  })

  it('refers only to what it holds, and names each operation once', () => {
    const text = JSON.stringify(DOCUMENT)
    const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1])
    const { schemas } = DOCUMENT['components'] as { readonly schemas: object }
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining([...new Set(references)]))
    const ids = Object.values(PATHS).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('is the same each time', () => {
    expect(openApiDocument('1.2.3')).toEqual(DOCUMENT)
  })
})
