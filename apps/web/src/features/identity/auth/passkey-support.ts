/** Passkeys belong to a domain: browsers make none for a bare address, nor for a page without TLS that is not on this computer. */
export function canHavePasskeys(): boolean {
  const isAddress = /^[\d.]+$|:|^\[/.test(location.hostname)
  return window.isSecureContext && 'PublicKeyCredential' in window && !isAddress
}
