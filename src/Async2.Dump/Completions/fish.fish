# dotnet-async2 completes commands, options and values in fish.
#   dotnet-async2 completion fish > ~/.config/fish/completions/dotnet-async2.fish
function __dotnet_async2
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l text (string join -- ' ' dotnet-async2 $words[2..-1] $typed)
    set -l found ($words[1] "[suggest:"(string length -- $text)"]" $text 2>/dev/null | string match -- "$typed*")
    # Where nothing fits, names of files: dumps and snapshots.
    if count $found >/dev/null
        printf '%s\n' $found
    else
        __fish_complete_path "$typed"
    end
end
complete -c dotnet-async2 -f -a '(__dotnet_async2)'
