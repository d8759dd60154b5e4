import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTexts } from '../../../../lib/texts.tsx'
import { Opening } from '../opening.tsx'
import { readPages } from '../read-spans.ts'
import type { ViewProps } from '../view-props.ts'
import styles from './pages.module.css'

/** A document as the server draws it, page below page; each is fetched when it comes near the window. */
export function PagesView({ file, onBroken }: ViewProps) {
  const texts = useTexts()
  const { data: pages, error } = useQuery({
    queryKey: ['preview-pages', file.url],
    queryFn: ({ signal }) => readPages(file.url, signal),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  })
  // The first error replaces this view.
  useEffect(() => {
    if (error !== null) onBroken(error)
  }, [error, onBroken])
  if (pages === undefined) return <Opening name={file.name} />
  return (
    <div
      className={styles['scroll']}
      role="region"
      aria-label={texts('preview.content', { name: file.name })}
      // Keys scroll what has the focus.
      tabIndex={0}
    >
      {Array.from({ length: pages.count }, (_, at) => (
        <Page
          key={at + 1}
          address={`${file.url}&page=${at + 1}`}
          label={texts('preview.pdf.page', { page: at + 1, count: pages.count })}
          shape={`${pages.width} / ${pages.height}`}
        />
      ))}
    </div>
  )
}

interface PageProps {
  readonly address: string
  readonly label: string
  /** Of the first page: what this one is taken for until it is there. */
  readonly shape: string
}

function Page({ address, label, shape }: PageProps) {
  const texts = useTexts()
  const [state, setState] = useState<'coming' | 'there' | 'broken'>('coming')
  if (state === 'broken') {
    return (
      <p className={styles['page']} style={{ aspectRatio: shape }} role="status">
        {texts('preview.pages.broken', { page: label })}
      </p>
    )
  }
  return (
    <img
      className={styles['page']}
      style={state === 'there' ? undefined : { aspectRatio: shape }}
      src={address}
      alt={label}
      loading="lazy"
      decoding="async"
      draggable={false}
      onLoad={() => setState('there')}
      onError={() => setState('broken')}
    />
  )
}
