import { crc32, deflateRawSync } from 'node:zlib'
import { pdfOf } from '@godwit/testkit'
import { afterAll, describe, expect, it } from 'vitest'
import { createDocumentTexts } from './document-texts.ts'
import type { TextFormat } from './formats.ts'
import { TextFault } from './text-fault.ts'

const never = new AbortController().signal
const warnings: unknown[] = []
const log = { info: () => undefined, error: () => undefined, warn: (fields: unknown) => void warnings.push(fields) }
const texts = createDocumentTexts({ log })
afterAll(() => texts.stop())

async function textOf(content: Uint8Array | string, format: TextFormat, reader = texts): Promise<string> {
  const bytes = Buffer.from(content)
  async function* read() {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
  }
  try {
    return (await reader.read({ format, bytes: bytes.length, read }, never)).text
  } catch (thrown) {
    if (thrown instanceof TextFault) return `fault: ${thrown.reason}`
    throw thrown
  }
}

/** @param claimed sizes that the zip says its entries have, where they are not the true ones */
function zipOf(entries: Readonly<Record<string, Buffer | string>>, claimed?: number): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, given] of Object.entries(entries)) {
    const content = Buffer.from(given)
    const packed = deflateRawSync(content)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(content), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(claimed ?? content.length, 18)
    fields.writeUInt16LE(name.length, 22)
    locals.push(Buffer.from('PK\u0003\u0004', 'latin1'), fields, Buffer.from(name), packed)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\u0001\u0002\u0014\0', 'latin1'), fields, tail, Buffer.from(name))
    offset += 30 + name.length + packed.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  const count = Object.keys(entries).length
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, ...directory, end])
}

const word = (body: string): Buffer =>
  zipOf({ 'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>` })

describe('the text of a document', () => {
  it.each<[string, TextFormat, Buffer | string, string]>([
    ['UTF-8', 'plain', 'Annual report\n项目\n预算', 'Annual report 项目预算'],
    ['GB 18030', 'plain', Buffer.from([0xcf, 0xee, 0xc4, 0xbf]), '项目'],
    ['UTF-16', 'plain', Buffer.from('\ufeff项目 plan', 'utf16le'), '项目 plan'],
    [
      'a page',
      'html',
      '<html><head><title>Plan</title><style>p{}</style><script>if (a</b/.c) alert("no")</script></head><body>' +
        '<p>To<b>day</b> &amp; 项目&#x6587;<br>next<!-- not this --> &unknown; a < b</body>',
      'Plan Today & 项目文 next &unknown; a < b',
    ],
    ['rich text', 'rtf', richText(), '标题 Plan “one” {x} 项目'],
    [
      'Word',
      'office',
      word(
        '<w:p><w:r><w:t>预算</w:t></w:r><w:r><w:t xml:space="preserve">表 &amp; plan</w:t></w:r><w:del><w:delText>gone</w:delText></w:del></w:p>' +
          '<w:p><w:r><w:drawing><wp:posOffset>12345</wp:posOffset></w:drawing><w:tab/><w:t>next</w:t></w:r></w:p>',
      ),
      '预算表 & plan next',
    ],
    [
      'a workbook',
      'office',
      zipOf({
        'xl/sharedStrings.xml': '<sst><si><t>合同</t></si><si><r><t>two</t></r><r><t> parts</t></r></si></sst>',
        'xl/worksheets/sheet1.xml':
          '<worksheet><row><c t="s"><v>0</v></c><c><v>42.5</v></c><c t="inlineStr"><is><t>here</t></is></c></row></worksheet>',
      }),
      '合同 two parts 42.5 here',
    ],
    [
      'a presentation',
      'office',
      zipOf({
        'ppt/slides/slide10.xml': '<p:sld><a:p><a:r><a:t>last</a:t></a:r></a:p></p:sld>',
        'ppt/slides/slide2.xml': '<p:sld><a:p><a:r><a:t>first</a:t></a:r></a:p></p:sld>',
        'ppt/notesSlides/notesSlide1.xml': '<p:notes><a:p><a:t>notes</a:t></a:p></p:notes>',
      }),
      'first last notes',
    ],
    [
      'OpenDocument',
      'open-document',
      zipOf({
        'content.xml':
          '<office:document-content><office:text><text:tracked-changes><text:p>gone</text:p></text:tracked-changes>' +
          '<text:h>Title</text:h><text:p>项<text:span>目</text:span><text:s/>plan</text:p></office:text></office:document-content>',
      }),
      'Title 项目 plan',
    ],
  ])('is read from %s', async (_name, format, content, expected) => {
    expect(await textOf(content, format)).toBe(expected)
  })

  it('is read from PDF', async () => {
    expect(await textOf(pdfOf('Annual plan'), 'pdf')).toBe('Annual plan')
  })

  it('comes with what it is found by', async () => {
    const content = Buffer.from('Plan 项目文')
    const read = async function* () {
      yield content
    }
    const found = await texts.read({ format: 'plain', bytes: content.length, read }, never)
    expect(found.terms).toEqual(['plan', '项目', '目文', '文'])
  })

  it('ends at a length, of a file of any', async () => {
    expect(await textOf(Buffer.alloc(20_000_000, 'word '), 'plain')).toHaveLength(499_999)
    expect(await textOf(Buffer.alloc(6_000_001, '项目'), 'plain')).toBe('项目'.repeat(250_000))
  })
})

describe('a hostile document', () => {
  const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')

  it.each<[string, TextFormat, Buffer | string, string]>([
    ['is no text', 'plain', Buffer.from([1, 0, 2, 0, 0, 3]), 'fault: unsupported'],
    ['has no words', 'plain', ' \n ', 'fault: empty'],
    ['is called docx', 'office', 'only text', 'fault: unsupported'],
    ['has a password', 'office', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), 'fault: protected'],
    ['is a cut zip', 'office', word('<w:p><w:t>x</w:t></w:p>').subarray(0, 60), 'fault: unreadable'],
    ['is a zip of something else', 'office', zipOf({ 'a.txt': 'x' }), 'fault: unsupported'],
    ['is a bomb', 'office', zipOf({ 'word/document.xml': Buffer.alloc(200_000_000, ' ') }), 'fault: too-large'],
    [
      'is a bomb that lies about its size',
      'office',
      zipOf({ 'word/document.xml': Buffer.alloc(200_000_000, ' ') }, 10),
      'fault: unreadable',
    ],
    [
      'grows by its entities',
      'office',
      zipOf({
        'word/document.xml': `<!DOCTYPE d [<!ENTITY l0 "ha">${laughs}]><w:document><w:p><w:t>a &l9; b</w:t></w:p></w:document>`,
      }),
      'a &l9; b',
    ],
    [
      'wants a file of the server',
      'office',
      zipOf({
        'word/document.xml':
          '<!DOCTYPE d [<!ENTITY f SYSTEM "file:///etc/passwd">]><w:document><w:p><w:t>a &f;</w:t></w:p></w:document>',
      }),
      'a &f;',
    ],
    ['is nested deeply', 'office', word('<w:p>'.repeat(300_000)), 'fault: empty'],
    ['has no end of tags', 'html', '<'.repeat(3_000_000), '<'.repeat(500_000)],
    ['opens groups for ever', 'rtf', `{\\rtf1${'{'.repeat(1_000_000)}deep`, 'deep'],
    ['is a broken PDF', 'pdf', `%PDF-1.7\n${'1 0 obj<</Kids[1 0 R]>>endobj '.repeat(1_000)}`, 'fault: unreadable'],
  ])('that %s costs nothing but itself', async (_name, format, content, expected) => {
    expect(await textOf(content, format)).toBe(expected)
  })

  it('whose pages never end is left with the process that reads it', async () => {
    const short = createDocumentTexts({ log, limitMs: 5_000 })
    try {
      // Whichever it runs out of first: time, or memory.
      expect(await textOf(endlessPdf(), 'pdf', short)).toMatch(/^fault: (too-large|unreadable)$/)
      expect(await textOf('still here', 'plain', short)).toBe('still here')
    } finally {
      short.stop()
    }
  })
})

/** Unicode, with a replacement for readers without it, and bytes of a code page. */
function richText(): string {
  return (
    '{\\rtf1\\ansi\\ansicpg936{\\fonttbl{\\f0 Arial;}}{\\*\\generator x}{\\info{\\title no}}' +
    "\\uc1\\u26631?\\u-26472?\\par Plan \\ldblquote one\\rdblquote  \\{x\\} \\'cf\\'ee\\'c4\\'bf}"
  )
}

/** One page, drawn by a form that draws ten of the next, twelve deep. */
function endlessPdf(): Buffer {
  const forms = Array.from({ length: 12 }, (_, at) => {
    const next = at === 11 ? '(word ) Tj ' : '/F Do '
    const content = at === 11 ? `BT /T 9 Tf ${next.repeat(50)}ET` : next.repeat(10)
    const resources = at === 11 ? '/Font<</T 3 0 R>>' : `/XObject<</F ${at + 11} 0 R>>`
    return `${at + 10} 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 99 99]/Resources<<${resources}>>/Length ${content.length}>>stream\n${content}\nendstream endobj\n`
  })
  return Buffer.from(
    '%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[4 0 R]/Count 1>>endobj\n' +
      '3 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n' +
      '4 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 5 0 R/Resources<</XObject<</F 10 0 R>>>>>>endobj\n' +
      `5 0 obj<</Length 5>>stream\n/F Do\nendstream endobj\n${forms.join('')}trailer<</Root 1 0 R>>\n%%EOF`,
  )
}
