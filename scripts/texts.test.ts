import fs from 'node:fs'
import { loadPortalTexts } from '@godwit/i18n/portal'
import { describe, expect, it } from 'vitest'

const WEB = new URL('../apps/web/src/', import.meta.url)

const source = fs
  .readdirSync(WEB, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => fs.readFileSync(new URL(name, WEB), 'utf8'))
  .join('\n')

/** Keys that are put together, such as `menu.${name}`: what stands before and after. */
const frames = [...source.matchAll(/`([\w.-]*)\$\{[^{}`]*\}([\w.-]*)`/g)]
  .map(([, before = '', after = '']) => ({ before, after }))
  // A part of a key must be written out, or everything would fit.
  .filter(({ before, after }) => before.endsWith('.') || after.startsWith('.'))

describe('texts of the portal', async () => {
  const keys = Object.keys(await loadPortalTexts('en-US'))
  it('are shown somewhere, each of them', () => {
    const isShown = (key: string): boolean =>
      source.includes(`'${key}'`) || frames.some(({ before, after }) => key.startsWith(before) && key.endsWith(after))
    expect(keys.filter((key) => !isShown(key))).toEqual([])
  })
})
