import { useQuery } from '@tanstack/react-query'
import { lexer } from 'marked'
import { useEffect } from 'react'
import { useTexts } from '../../../../lib/texts.tsx'
import type { ViewProps } from '../view-props.ts'
import { detectEncoding } from './encodings.ts'
import { MarkdownNodes } from './markdown-nodes.tsx'
import { readSpan } from '../read-spans.ts'
import { WINDOW_BYTES } from './window-sizes.ts'
import { TextView } from './text-view.tsx'
import styles from './text.module.css'

/** Formatting takes the whole text at once; a longer one is shown as it is written. */
const MARKDOWN_MAX_BYTES = WINDOW_BYTES

export function MarkdownView(props: ViewProps) {
  return props.file.size > MARKDOWN_MAX_BYTES ? <TextView {...props} /> : <Prose {...props} />
}

function Prose({ file, onBroken }: ViewProps) {
  const texts = useTexts()
  const { data, error } = useQuery({
    queryKey: ['preview-markdown', file.url],
    queryFn: async ({ signal }) => {
      const bytes = await readSpan(file.url, 0, file.size, signal)
      return lexer(new TextDecoder(detectEncoding(bytes)).decode(bytes), { gfm: true })
    },
    gcTime: 0,
    retry: false,
    structuralSharing: false,
  })
  useEffect(() => {
    if (error !== null) onBroken(error)
  }, [error, onBroken])
  return (
    <div
      className={styles['page']}
      role="region"
      aria-label={texts('preview.content', { name: file.name })}
      aria-busy={data === undefined}
      // Keys scroll what has the focus.
      tabIndex={0}
    >
      <article className={styles['prose']}>{data !== undefined && <MarkdownNodes tokens={data} />}</article>
    </div>
  )
}
