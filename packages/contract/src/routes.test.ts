import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fileOperations, operationPath } from './content/files.ts'
import { allRoutes } from './routes.ts'

const ROOT = new URL('../../..', import.meta.url).pathname
const CODE = 'defineRoute('

describe('route registry', () => {
  it('holds every route that is defined anywhere', () => {
    const files = globSync(['packages/*/src/**/*.ts', 'apps/*/src/**/*.{ts,tsx}'], { cwd: ROOT }).filter(
      (file) => !file.endsWith('.test.ts') && !file.endsWith('wire/route.ts') && !file.includes('/testing/'),
    )
    const defined = files.map((file) => readFileSync(`${ROOT}/${file}`, 'utf8').split(CODE).length - 1)
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
    expect(['public', 'user', 'session', 'transfer', 'admin']).toContain(spec.access)
    expect(spec.path).toMatch(/^\/(api|customize|download)\/[\w/:-]+$/)
    expect(spec.summary).not.toBe('')
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
