// The page around the viewer: two files of the extension, and a content security policy that allows nothing else.

export interface PageFiles {
  /** Content source of the webview, `https://*.vscode-cdn.net`. */
  readonly source: string;
  readonly script: string;
  readonly style: string;
  readonly title: string;
  /** Shown without a debug session, which can be begun. */
  readonly debugs?: boolean;
}

export function pageOf({ source, script, style, title, debugs = false }: PageFiles): string {
  const policy = `default-src 'none'; script-src ${source}; style-src ${source}; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${attribute(title)}</title>
<link rel="stylesheet" href="${attribute(style)}">
</head>
<body data-debugs="${debugs}">
<div id="viewer"></div>
<script src="${attribute(script)}"></script>
</body>
</html>
`;
}

/** Text for an attribute in double quotes, or between tags. */
function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
