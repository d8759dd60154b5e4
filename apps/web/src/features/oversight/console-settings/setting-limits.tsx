import type { Feature } from '@godwit/contract/foundation/editions'
import { useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { LimitBox, useMissing } from '../../foundation/site/index.ts'
import styles from './settings.module.css'

/** In place of the settings that the edition lacks. */
export function SettingLimits({ features }: { readonly features: readonly Feature[] }) {
  const texts = useTexts()
  const missing = useMissing()
  if (!useTextBundle('papers')) return null
  return (
    <div className={styles['limits']}>
      {[...new Set(features)].map((feature) => {
        const edition = missing(feature)
        return (
          edition && <LimitBox key={feature} page={titleOf(texts(`licence.feature.${feature}`))} edition={edition} />
        )
      })}
    </div>
  )
}

/** The names stand in a list elsewhere. */
function titleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
