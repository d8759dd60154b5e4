import { createContext, use } from 'react'
import styles from './logo.module.css'

const OwnLogo = createContext<string | undefined>(undefined)

/** The address of an image that stands in place of the product's own logo, wherever one is shown. */
export const OwnLogoProvider = OwnLogo

/** The bird with the longest flight, as a stamp; or the installation's own logo, as high and as wide as its shape wants. */
export function Logo({ size = 32 }: { readonly size?: number }) {
  const own = use(OwnLogo)
  return own === undefined ? (
    <img src="/assets/godwit.svg" width={size} height={size} alt="" />
  ) : (
    <img src={own} height={size} alt="" className={styles['own']} data-testid="own-logo" />
  )
}
