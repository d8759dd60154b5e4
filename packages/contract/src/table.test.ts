import { describe, expect, expectTypeOf, it } from 'vitest'
import { createClient, type RouteReply } from './client.ts'
import { fileOperations, operationPath } from './content/files.ts'
import type { LoginReply } from './identity/auth.ts'
import { allRoutes } from './routes.ts'
import { routes } from './table.ts'
import type { RouteRef } from './wire/route-table.ts'

describe('route table', () => {
  it('is what the specs say, and nothing besides', () => {
    const { files: _, ...features } = routes
    const tables: Readonly<Record<string, Readonly<Record<string, RouteRef>>>> = features
    const entries = Object.entries(tables).flatMap(([feature, table]) =>
      Object.entries(table).map(([name, route]): [string, RouteRef] => [`${feature}.${name}`, route]),
    )
    const specs = allRoutes().map(({ feature, name, spec: { method, path, raw } }) => [
      `${feature}.${name}`,
      { method, path, ...(raw === undefined ? {} : { raw }) },
    ])
    expect(Object.fromEntries(entries)).toEqual(Object.fromEntries(specs))
  })

  it('holds every file operation, and marks those that may be asked again', () => {
    expect(routes.files).toEqual(
      Object.fromEntries(
        Object.entries(fileOperations).map(([name, { isRead = false }]) => [
          name,
          { path: operationPath(name), isRead },
        ]),
      ),
    )
  })

  it('types input and reply of a call by the spec', () => {
    const { call } = createClient({ baseUrl: '', fetch: globalThis.fetch })
    expectTypeOf<RouteReply<typeof routes.auth.login>>().toEqualTypeOf<LoginReply>()
    // @ts-expect-error a body of another route
    const wrongBody = () => call(routes.auth.login, { body: { spaceId: 1 } })
    // @ts-expect-error the parameter of the path is missing
    const withoutParams = () => call(routes.uploads.status, {})
    // @ts-expect-error a query value of another type
    const wrongQuery = () => call(routes.notices.list, { query: { pageNum: 'first' } })
    expect([wrongBody, withoutParams, wrongQuery]).toHaveLength(3)
  })
})
