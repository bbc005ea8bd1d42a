import { describe, expect, test } from 'vitest';
import { elementsOf, parseXml, textOf } from './xml.ts';

describe('the XML of books', () => {
  test('has elements, attributes, references and text', () => {
    const root = parseXml(
      '<?xml version="1.0"?><!-- no --><a:Root x="1 &amp; 2"><b>A&#x41;&nbsp;<![CDATA[<i>]]></b><br></a:Root>',
    );
    const [b] = elementsOf(root, 'b');
    expect(elementsOf(root, 'root')[0]?.attributes.get('x')).toBe('1 & 2');
    expect(b?.children).toEqual(['AA\u00a0', '<i>']);
  });

  test('knows no entities of a document type, so none grows', () => {
    const root = parseXml('<!DOCTYPE r [<!ENTITY a "aaaa">]><r>&a;&a;</r>');
    expect(textOf(root)).toContain('&a;&a;');
  });

  test('ends for text that is not well-formed, or very deep', () => {
    expect(textOf(parseXml('</x><p>one<p>two</q>'))).toBe('onetwo');
    expect(textOf(parseXml('<b>'.repeat(50_000) + 'x'))).toBe('x');
    expect(textOf(parseXml('<a b="'.repeat(500)))).toBe('<a b="'.repeat(500));
  });
});
