import { Marked } from 'marked'

/** One page of the documentation, as it stands in `docs/`. */
export interface DocumentSource {
  /** Path below `docs/` without the ending: `protocol-upload`, `adr/0001-runtime`. */
  readonly name: string
  readonly markdown: string
}

export interface DocumentPage {
  readonly name: string
  readonly title: string
  readonly html: string
}

/** Turns the project's own Markdown into pages; links between documents become links between pages. */
export function renderDocuments(sources: readonly DocumentSource[]): Map<string, DocumentPage> {
  const titles = sources.map(({ name, markdown }) => ({ name, title: titleOf(markdown) ?? name }))
  const menu = titles
    .toSorted((a, b) => depth(a.name) - depth(b.name) || (a.name < b.name ? -1 : 1))
    .map(({ name, title }) => `<li><a href="/docs/${name}">${escapeHtml(title)}</a></li>`)
    .join('')
  return new Map(
    sources.map(({ name, markdown }) => {
      const title = titleOf(markdown) ?? name
      return [name, { name, title, html: layout({ title, menu, body: render(name, markdown) }) }]
    }),
  )
}

function render(name: string, markdown: string): string {
  const folder = name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : ''
  const marked = new Marked({
    async: false,
    gfm: true,
    walkTokens(token) {
      if (token.type === 'link') token.href = pageLink(folder, String(token.href))
    },
  })
  return marked.parse(markdown) as string
}

/** `../errors.md#x` seen from `adr/0001` is `/docs/errors#x`; other sites and anchors stay as they are. */
export function pageLink(folder: string, href: string): string {
  if (/^(?:[a-z]+:|#|\/)/i.test(href)) return href
  const url = new URL(href, `http://docs/docs/${folder === '' ? '' : `${folder}/`}`)
  return url.pathname.replace(/\.md$/, '') + url.hash
}

/** Pages of the first level come before the decisions. */
function depth(name: string): number {
  return name.split('/').length
}

function titleOf(markdown: string): string | undefined {
  return /^# (.+)$/m.exec(markdown)?.[1]
}

function layout({
  title,
  menu,
  body,
}: {
  readonly title: string
  readonly menu: string
  readonly body: string
}): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)} - Godwit</title><link rel="stylesheet" href="/docs/style.css"></head>
<body><nav aria-label="Documentation"><p><a href="/">Godwit</a></p><ul>${menu}<li><a href="/api/docs/">HTTP API</a></li></ul></nav><main>${body}</main></body></html>`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** The look of the documentation: the portal's colours, light and dark. */
export const STYLE = `:root{color-scheme:light dark;--canvas:#F7F7F7;--surface:#fff;--text:#1F1F1F;--quiet:#595959;--line:#E8E8E8;--link:#C63A06}
@media(prefers-color-scheme:dark){:root{--canvas:#141414;--surface:#1F1F1F;--text:#E6E6E6;--quiet:#B3B3B3;--line:#303030;--link:#FF7A45}}
*{box-sizing:border-box}body{margin:0;display:grid;grid-template-columns:260px minmax(0,1fr);background:var(--canvas);color:var(--text);font:16px/1.6 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
nav{padding:24px;border-right:1px solid var(--line);font-size:14px}nav ul{list-style:none;margin:0;padding:0}nav li{margin:6px 0}nav a{text-decoration:none}nav a:hover,nav a:focus{text-decoration:underline}nav p{font-weight:600;font-size:18px;margin:0 0 16px}
main{padding:32px 48px;max-width:900px;background:var(--surface);min-height:100vh}a{color:var(--link)}h1{line-height:1.25;margin-top:0}h2{margin-top:40px;border-bottom:1px solid var(--line);padding-bottom:6px}
pre{overflow:auto;padding:16px;background:var(--canvas);border-radius:10px}code{font:0.9em ui-monospace,monospace}table{border-collapse:collapse;display:block;overflow:auto}th,td{text-align:left;padding:8px 12px;border-bottom:1px solid var(--line);vertical-align:top}
blockquote{margin:0;padding-left:16px;border-left:3px solid #FD5C1F;color:var(--quiet)}img{max-width:100%}
@media(max-width:800px){body{display:block}nav{border:0;border-bottom:1px solid var(--line)}main{padding:24px}}`
