/** Why the server cannot take its address. */
export interface ListenFault {
  /** The setting to change. */
  readonly key: 'host' | 'port'
  readonly message: string
  /** Somebody else listens there. */
  readonly isTaken: boolean
}

/** @returns undefined for what is no fault of an address */
export function listenFault(
  thrown: unknown,
  { host, port }: { readonly host: string; readonly port: number },
): ListenFault | undefined {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  switch (code) {
    case 'EADDRINUSE':
      return {
        key: 'port',
        message: `${host}:${port} is taken: by a running Godwit, or by another program`,
        isTaken: true,
      }
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return { key: 'host', message: `${host} is no address of this machine`, isTaken: false }
    case 'EACCES':
      return { key: 'port', message: `port ${port} needs rights that this account does not have`, isTaken: false }
    default:
      return undefined
  }
}
