import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'

it('runs in a browser: without modules of Node, without validators, and small', async () => {
  const bundle = await rolldown({ input: join(import.meta.dirname, 'index.ts'), platform: 'browser' })
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false })
  const [{ code, imports }] = output
  expect(imports).toEqual([])
  expect(code).not.toMatch(/["']node:|ZodError/)
  expect(code.length).toBeLessThan(120_000)
})
