import { formatSize } from '../../../../lib/formats.ts'
import { useTexts } from '../../../../lib/texts.tsx'
import { ENCODINGS, type Encoding } from './encodings.ts'
import { TEXT_MAX_BYTES } from './window-sizes.ts'
import styles from './text.module.css'

export interface TextFootProps {
  readonly size: number
  readonly encoding: Encoding
  readonly onEncoding: (encoding: Encoding) => void
  readonly isLoading: boolean
  readonly note?: string
}

/** What of the file is shown, and in which encoding it was read. */
export function TextFoot({ size, encoding, onEncoding, isLoading, note }: TextFootProps) {
  const texts = useTexts()
  const cut = size > TEXT_MAX_BYTES && texts('preview.text.cut', { size: formatSize(TEXT_MAX_BYTES, texts.locale, 0) })
  return (
    <div className={styles['foot']}>
      <span role="status">{isLoading ? texts('preview.text.more') : cut || note}</span>
      <label>
        {texts('preview.encoding')}{' '}
        <select value={encoding} onChange={({ target }) => onEncoding(target.value as Encoding)}>
          {ENCODINGS.map((each) => (
            <option key={each} value={each}>
              {each.toUpperCase()}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}
