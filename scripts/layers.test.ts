import { describe, expect, it } from 'vitest'
import { withDiagram } from './layers.ts'

const PAGE = 'before\n<!-- layers: drawn by scripts/layers.ts -->\nold\n<!-- layers: end -->\nafter\n'

describe('the drawing of the layers', () => {
  it('replaces what stands between the marks and nothing else', () => {
    const page = withDiagram(PAGE)
    expect(page).toMatch(/^before\n<!-- layers: drawn[^]*flowchart TD[^]*<!-- layers: end -->\nafter\n$/)
    expect(page).not.toContain('old')
  })

  it('stays the same when it is drawn again', () => {
    expect(withDiagram(withDiagram(PAGE))).toBe(withDiagram(PAGE))
  })

  it('refuses a page without marks', () => {
    expect(() => withDiagram('before\nafter\n')).toThrow('marks')
  })
})
