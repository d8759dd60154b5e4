/** This browser cannot hold a key: the page came without TLS, or its storage is switched off. */
export class NoDeviceKey extends Error {
  constructor(options?: ErrorOptions) {
    super('this browser cannot hold a device key', options)
    this.name = 'NoDeviceKey'
  }
}

/** What `verify` takes as `device`. */
interface DeviceAnswer {
  readonly key: string
  readonly challenge: string
  readonly signature: string
}

const DATABASE = 'godwit-link-devices'
const KEYS = 'keys'
const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' } as const

/**
 * Proves that this is the device a link is bound to. Each link has a key of its own, so that owners of two links cannot find
 * out that one device opened both; it cannot leave the browser.
 * @throws NoDeviceKey
 */
export async function answerChallenge(linkId: string, challenge: string): Promise<DeviceAnswer> {
  const { publicKey, privateKey } = await keyOf(linkId)
  const text = new TextEncoder().encode(`godwit-link-device:v1\n${linkId}\n${challenge}`)
  const [key, signature] = await Promise.all([
    crypto.subtle.exportKey('spki', publicKey),
    crypto.subtle.sign(SIGNING, privateKey, text),
  ])
  return { key: base64Url(key), challenge, signature: base64Url(signature) }
}

async function keyOf(linkId: string): Promise<CryptoKeyPair> {
  // Without TLS the browser has no such interface, whatever its type says.
  if (!('subtle' in crypto)) throw new NoDeviceKey()
  const made = await crypto.subtle.generateKey(CURVE, false, ['sign', 'verify'])
  try {
    const database = await openDatabase()
    try {
      return await storedOr(database, linkId, made)
    } finally {
      database.close()
    }
  } catch (cause) {
    throw new NoDeviceKey({ cause })
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(KEYS)
  return settled(request)
}

/** In one transaction, so that two tabs end up with one key. */
async function storedOr(database: IDBDatabase, linkId: string, made: CryptoKeyPair): Promise<CryptoKeyPair> {
  const store = database.transaction(KEYS, 'readwrite').objectStore(KEYS)
  const stored = (await settled(store.get(linkId))) as CryptoKeyPair | undefined
  if (stored !== undefined) return stored
  await settled(store.put(made, linkId))
  return made
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('the database of keys failed'))
  })
}

function base64Url(bytes: ArrayBuffer): string {
  const text = String.fromCharCode(...new Uint8Array(bytes))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
