import type { LinkRecord } from '@godwit/contract'
import { links } from '@godwit/contract/table/links'
import { useEffect, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'

/** The mail that a link ends soon leads to it, where one press extends it. */
export function useLinkInAddress(onFound: (record: LinkRecord) => void): void {
  const texts = useTexts()
  const { api, messages } = useServices()
  const [wanted, setWanted] = useState(() => new URLSearchParams(location.search).get('extend'))
  useEffect(() => {
    if (wanted === null) return undefined
    const stop = new AbortController()
    api
      .call(links.detail, { query: { url: wanted } }, { signal: stop.signal })
      .then(
        (record) => {
          setWanted(null)
          onFound(record)
        },
        (error: unknown) => {
          if (stop.signal.aborted) return
          setWanted(null)
          messages.fail(error, texts)
        },
      )
      .catch(() => undefined)
    return () => stop.abort()
  }, [wanted, api, messages, texts, onFound])
}
