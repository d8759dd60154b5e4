import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useRef } from 'react'

type Search = Readonly<Record<string, unknown>>

export interface PreviewAddress {
  /** Name of the file that is open, in the folder of the address. */
  readonly name: string | undefined
  open(name: string): void
  /** Opens another file of the folder in its place: back still leads to the list. */
  turn(name: string): void
  close(): void
}

/** The open file is a part of the address, so that back closes it and a link leads to it. */
export function usePreviewAddress(): PreviewAddress {
  const { view }: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  /** Whether the entry before this one in the history is the list. */
  const isOpenedHere = useRef(false)
  const open = useCallback(
    (name: string) => {
      isOpenedHere.current = true
      void navigate({ to: '.', search: (search: Search) => ({ ...search, view: name }) })
    },
    [navigate],
  )
  const turn = useCallback(
    (name: string) =>
      void navigate({ to: '.', search: (search: Search) => ({ ...search, view: name }), replace: true }),
    [navigate],
  )
  const close = useCallback(() => {
    if (isOpenedHere.current) history.back()
    else void navigate({ to: '.', search: (search: Search) => ({ ...search, view: undefined }), replace: true })
    isOpenedHere.current = false
  }, [navigate])
  return { name: typeof view === 'string' && view !== '' ? view : undefined, open, turn, close }
}
