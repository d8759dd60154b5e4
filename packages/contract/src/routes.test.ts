import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fileOperations, operationPath } from './content/files.ts'
import { CONSOLE_RIGHTS, SUPER_RIGHTS } from './identity/console-rights.ts'
import { allRoutes } from './routes.ts'
import type { RouteSpec } from './wire/route.ts'

const ROOT = new URL('../../..', import.meta.url).pathname
const CODE = 'defineRoute('
/** Makes the same routes under several rights. */
const FAMILY = { code: '= settingRoutes(', routes: 3 }

describe('route registry', () => {
  it('holds every route that is defined anywhere', () => {
    const files = globSync(['packages/*/src/**/*.ts', 'apps/*/src/**/*.{ts,tsx}'], { cwd: ROOT }).filter(
      (file) => !file.endsWith('.test.ts') && !file.endsWith('wire/route.ts') && !file.includes('/testing/'),
    )
    const defined = files.map((file) => {
      const code = readFileSync(`${ROOT}/${file}`, 'utf8')
      const again = Math.max(0, code.split(FAMILY.code).length - 2) * FAMILY.routes
      return code.split(CODE).length - 1 + again
    })
    expect(allRoutes()).toHaveLength(defined.reduce((sum, count) => sum + count, 0))
  })

  it('names no method and path twice, the file operations included', () => {
    const routes = allRoutes().map(({ spec }) => `${spec.method} ${spec.path.replaceAll(/:\w+/g, ':')}`)
    const all = [...routes, ...Object.keys(fileOperations).map((name) => `POST ${operationPath(name)}`)]
    expect(new Set(all).size).toBe(all.length)
  })

  it.each(allRoutes())('$feature.$name declares the parameters of its path, and who may call it', ({ spec }) => {
    const inPath = [...spec.path.matchAll(/:(\w+)/g)].map((match) => match[1])
    expect(Object.keys(spec.params?.shape ?? {})).toEqual(inPath)
    if (typeof spec.access === 'string')
      expect(['public', 'guest', 'user', 'session', 'transfer']).toContain(spec.access)
    expect(spec.path).toMatch(/^\/(?:metrics$|(?:api|customize|download)\/[\w/:-]+$)/)
    expect(spec.summary).not.toBe('')
  })

  it('asks for a console right on every route of the console, and names what each of its changes and exports is called in the log', () => {
    const SHOWING = new Set(['/api/admin/mail/templates/preview', '/api/admin/server/probe'])
    const rights: readonly string[] = [...CONSOLE_RIGHTS, ...SUPER_RIGHTS, 'console.open']
    const isWrong = ({ path, access, method, log }: RouteSpec): boolean => {
      const isConsole = path.startsWith('/api/admin/')
      if (!isConsole) return typeof access === 'object'
      if (typeof access !== 'object' || !rights.includes(access.right)) return true
      // Only show something, made of what is too long for an address.
      if (SHOWING.has(path)) return log !== undefined
      const isLogged = method !== 'GET' || path.endsWith('/export')
      return !isLogged ? log !== undefined : !/^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/.test(log ?? '')
    }
    expect(allRoutes().filter(({ spec }) => isWrong(spec))).toEqual([])
  })

  it('gives each DELETE a POST twin, because proxies drop what they do not know', () => {
    const paths = allRoutes()
      .filter(({ spec }) => spec.method === 'POST')
      .map(({ spec }) => spec.path)
    const deletes = allRoutes()
      .filter(({ spec }) => spec.method === 'DELETE')
      .map(({ spec }) => spec.path)
    expect(deletes.filter((path) => !paths.some((twin) => twin.startsWith(`${path}/`)))).toEqual([])
  })

  it('keeps the names of file operations equal to their keys', () => {
    expect(Object.values(fileOperations).map(({ name }) => name)).toEqual(Object.keys(fileOperations))
  })
})
