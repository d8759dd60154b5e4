import { useEffect, useMemo, useState } from 'react'
import { fingerprintOf, keyInFragment, type LinkKey, type SecretKey } from './seal-keys.ts'

/** Why nothing can be sealed or opened here. */
export type KeyFault = 'missing' | 'other-link' | 'no-tls' | 'sends-only'

export type KeyState<Key extends LinkKey> =
  | { readonly key: Key; readonly fault?: undefined }
  | { readonly key?: undefined; readonly fault: KeyFault }

/** The key in the address of the page, which may be pasted over while the page is open. */
export function useLinkKey(sealedBy: string): KeyState<LinkKey> {
  const [hash, setHash] = useState(() => location.hash)
  useEffect(() => {
    const follow = (): void => setHash(location.hash)
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  const key = useMemo(() => keyInFragment(hash), [hash])
  if (!isSecureContext) return { fault: 'no-tls' }
  if (key === undefined) return { fault: 'missing' }
  return fingerprintOf(key) === sealedBy ? { key } : { fault: 'other-link' }
}

export function openingKey({ key, fault }: KeyState<LinkKey>): KeyState<SecretKey> {
  if (key === undefined) return { fault }
  return key.kind === 'secret' ? { key } : { fault: 'sends-only' }
}
