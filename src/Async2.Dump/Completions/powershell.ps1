# dotnet-async2 completes commands, options and values in PowerShell.
#   dotnet-async2 completion powershell | Out-String | Invoke-Expression     in $PROFILE
Register-ArgumentCompleter -Native -CommandName dotnet-async2 -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    # The program may be typed with a path, in quotation marks.
    $program = $commandAst.GetCommandName()
    $end = $commandAst.CommandElements[0].Extent.EndOffset
    $behind = [Math]::Max(0, $cursorPosition - $end)
    $rest = $commandAst.Extent.Text.Substring($end - $commandAst.Extent.StartOffset)
    $text = 'dotnet-async2' + $rest.PadRight($behind).Substring(0, $behind)
    $typed = $text.Substring($text.LastIndexOf(' ') + 1)
    # Where nothing fits, PowerShell takes names of files: dumps and snapshots.
    & $program "[suggest:$($text.Length)]" "$text" 2>$null | Where-Object { $_ -and $_.StartsWith($typed, [StringComparison]::OrdinalIgnoreCase) } | ForEach-Object {
        [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
    }
}
