import { useState } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { classNames } from '../../../ui/class-names.ts'
import type { ViewProps } from './view-props.ts'
import styles from './preview.module.css'

/** A picture, as large as fits; a click shows it pixel by pixel. An SVG in an <img> runs nothing and fetches nothing. */
export function ImageView({ file, onBroken }: ViewProps) {
  const texts = useTexts()
  const [isActual, setActual] = useState(false)
  return (
    <button
      type="button"
      className={classNames(styles['picture'], isActual && styles['actual'])}
      title={texts(isActual ? 'preview.fit' : 'preview.actual-size')}
      aria-pressed={isActual}
      onClick={() => setActual(!isActual)}
    >
      <img src={file.url} alt={file.name} draggable={false} decoding="async" onError={() => onBroken()} />
    </button>
  )
}
