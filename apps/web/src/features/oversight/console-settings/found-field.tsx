import { useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Moves the focus to the field that the address names, wherever a search came from. */
export function FoundField() {
  const { find }: { readonly find?: string } = useSearch({ strict: false })
  useEffect(() => {
    const field = find === undefined ? undefined : document.getElementsByName(find)[0]
    field?.scrollIntoView({ block: 'center' })
    field?.focus()
  }, [find])
  return null
}
