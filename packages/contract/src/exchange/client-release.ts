import { z } from 'zod'
import { CLIENT_PACKAGES } from '../foundation/client-packages.ts'
import { isVersion } from '../foundation/versions.ts'

const version = z.string().refine(isVersion)

/** What the makers of the packages sign: everything a client decides by before it runs what a server gave it. */
export const clientRelease = z.strictObject({
  format: z.literal(1),
  version,
  /** Older clients are replaced by hand, because something in between is needed. */
  minVersion: version,
  packages: z.array(
    z.strictObject({
      type: z.enum(CLIENT_PACKAGES),
      /** System and processor, such as `linux-x64`. */
      platform: z.string().max(40),
      file: z.string().max(100),
      size: z.int().min(1),
      /** Of the whole file, in hex. */
      sha256: z.string().regex(/^[\da-f]{64}$/),
    }),
  ),
})
export type ClientRelease = z.infer<typeof clientRelease>
export type ReleasedPackage = ClientRelease['packages'][number]

/** A release as it is kept and sent: the very text that was signed, so that nothing depends on how JSON is written. */
export const signedRelease = z.strictObject({
  /** A {@link clientRelease} as JSON. */
  release: z.string().max(65_536),
  /** Ed25519 over {@link RELEASE_CONTEXT} and the release, in base64url. */
  signature: z.string().max(128),
})
export type SignedRelease = z.infer<typeof signedRelease>

/** Before what is signed: a signature of the same key over anything else counts for nothing here. */
export const RELEASE_CONTEXT = 'godwit-client release 1\n'
