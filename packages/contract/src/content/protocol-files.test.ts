import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { nameFault } from '../names.ts'
import { socketRequest } from './file-socket.ts'
import { fileOperations, type FileOperationName } from './files.ts'

const PAGE = readFileSync(new URL('../../../../docs/protocol-files.md', import.meta.url), 'utf8')
const EXAMPLES = [...PAGE.matchAll(/```json ([\w.]+)\n([\s\S]*?)```/g)].map(([, kind = '', json = '']) => ({
  kind,
  json,
}))

function schemaOf(kind: string) {
  if (kind === 'socket') return socketRequest
  const [name = '', side = ''] = kind.split('.')
  const operation = fileOperations[name as FileOperationName]
  return side === 'input' ? operation.input : operation.reply
}

describe('docs/protocol-files.md', () => {
  it.each(EXAMPLES)('shows a $kind that the schema takes as it stands', ({ kind, json }) => {
    const example: unknown = JSON.parse(json)
    expect(schemaOf(kind).parse(example)).toMatchObject(example as object)
  })

  it('has a line for each operation, and an example of an input for most', () => {
    const documented = [...PAGE.matchAll(/^\| `(\w+)` +\| [^|]*\| [^|]+\|$/gm)].map((match) => match[1] ?? '')
    expect(documented.toSorted()).toEqual(Object.keys(fileOperations).toSorted())
    expect(EXAMPLES.length).toBeGreaterThan(15)
  })

  it('names the faults of a name as the rule does', () => {
    const documented = [...PAGE.matchAll(/^\| `([a-z-]+)` +\| [^|]*(?:\\\|)?[^|]*\|$/gm)].map((match) => match[1] ?? '')
    const found = ['', 'a'.repeat(256), 'a/b', 'a\n', '\ud800', '..', 'a.', 'CON', '.godwit'].map(nameFault)
    expect(documented).toEqual(found)
  })
})
