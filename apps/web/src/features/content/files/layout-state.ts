import { useState } from 'react'
import { readStored, writeStored } from '../../../lib/storage.ts'

/** How the entries of a folder are drawn: a row each, or a tile each with its picture. */
export type Layout = 'list' | 'tiles'

/** The layout that a person chose last, kept by this browser. */
export function useLayoutState(userId: string): {
  readonly layout: Layout
  readonly setLayout: (next: Layout) => void
} {
  const key = `godwit.layout.${userId}`
  const [layout, setLayout] = useState<Layout>(() => (readStored(key) === 'tiles' ? 'tiles' : 'list'))
  return {
    layout,
    setLayout(next) {
      setLayout(next)
      writeStored(key, next === 'tiles' ? next : undefined)
    },
  }
}
