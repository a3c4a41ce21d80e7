use super::*;

#[test]
fn the_zoo_s_policy_needs_no_directory() {
    let search = |nodes, share| {
        Some(LeafSearch {
            nodes,
            share,
            ..LeafSearch::default()
        })
    };
    for (text, sims, precision, leaf_search) in [
        ("zoo", DEFAULT_POLICY_SIMULATIONS, Precision::F32, None),
        ("zoo:sims=0", 0, Precision::F32, None),
        ("zoo:precision=bf16,sims=9", 9, Precision::Bf16, None),
        (
            "zoo:leaf_nodes=0",
            DEFAULT_POLICY_SIMULATIONS,
            Precision::F32,
            search(0, 0.0),
        ),
        (
            "zoo:leaf_nodes=50,sims=9",
            9,
            Precision::F32,
            search(50, 0.0),
        ),
        (
            "zoo:leaf_nodes=50,leaf_share=0.5,sims=9",
            9,
            Precision::F32,
            search(50, 0.5),
        ),
        (
            "zoo:leaf_nodes=50,leaf_share=0.5,solver_nodes=7,sims=9",
            9,
            Precision::F32,
            search(50, 0.5).map(|it| LeafSearch {
                solver_nodes: 7,
                ..it
            }),
        ),
        (
            "zoo:solver_nodes=7,sims=9",
            9,
            Precision::F32,
            search(0, 0.0).map(|it| LeafSearch {
                solver_nodes: 7,
                ..it
            }),
        ),
    ] {
        let spec: PlayerSpec = text.parse().unwrap();
        let expected = PlayerSpec::Policy {
            source: PolicySource::Zoo,
            options: PolicyOptions {
                sims,
                precision,
                leaf_search,
                ..PolicyOptions::default()
            },
        };
        assert_eq!(spec, expected, "{text}");
        assert_eq!(spec.to_string().parse::<PlayerSpec>().unwrap(), expected);
    }
    let symmetries: PlayerSpec = "zoo:symmetries=all".parse().unwrap();
    let expected = PlayerSpec::Policy {
        source: PolicySource::Zoo,
        options: PolicyOptions {
            symmetries: true,
            ..PolicyOptions::default()
        },
    };
    assert_eq!(symmetries, expected);
    assert_eq!(symmetries.to_string(), "zoo:sims=200,symmetries=all");
    for (text, is_on, written) in [
        ("zoo:sims=9", true, "zoo:sims=9"),
        ("zoo:sims=9,transpositions=on", true, "zoo:sims=9"),
        (
            "zoo:transpositions=off,sims=9",
            false,
            "zoo:sims=9,transpositions=off",
        ),
    ] {
        let spec: PlayerSpec = text.parse().unwrap();
        assert_eq!(spec.to_string(), written);
        let PlayerSpec::Policy { options, .. } = spec else {
            panic!("{text} is a policy");
        };
        assert_eq!(options.search_params().transpositions, is_on);
    }
    for (text, share, written) in [
        ("zoo:sims=9", 0.0, "zoo:sims=9"),
        (
            "zoo:minimax_share=0.25,sims=9",
            0.25,
            "zoo:sims=9,minimax_share=0.25",
        ),
        (
            "zoo:sims=9,minimax_share=0",
            0.0,
            "zoo:sims=9,minimax_share=0",
        ),
    ] {
        let spec: PlayerSpec = text.parse().unwrap();
        assert_eq!(spec.to_string(), written);
        let PlayerSpec::Policy { options, .. } = spec else {
            panic!("{text} is a policy");
        };
        assert_eq!(options.search_params().minimax_share, share);
    }
    for (text, nodes) in [
        ("zoo:sims=9", None),
        ("zoo:sims=9,trap_nodes=0", Some(0)),
        ("zoo:sims=9,trap_nodes=7", Some(7)),
    ] {
        let spec: PlayerSpec = text.parse().unwrap();
        assert_eq!(spec.to_string(), text);
        let PlayerSpec::Policy { options, .. } = spec else {
            panic!("{text} is a policy");
        };
        assert_eq!(options.trap_nodes, nodes);
    }
    for (text, search) in [
        ("zoo:sims=9", None),
        ("zoo:sims=9,root_nodes=0", Some((0, 0.0))),
        ("zoo:sims=9,root_nodes=7", Some((7, 0.0))),
        ("zoo:sims=9,root_nodes=7,root_share=0.5", Some((7, 0.5))),
    ] {
        let spec: PlayerSpec = text.parse().unwrap();
        assert_eq!(spec.to_string(), text);
        let PlayerSpec::Policy { options, .. } = spec else {
            panic!("{text} is a policy");
        };
        let search = search.map(|(nodes, share)| RootSearch { nodes, share });
        assert_eq!(options.root_search, search);
    }
    for (text, why) in [
        ("zoo:trap_nodes=-1", "trap_nodes is a number of at least 0"),
        (
            "zoo:root_share=0.5",
            "root_share needs root_nodes of at least 1",
        ),
        (
            "zoo:root_nodes=9,root_share=2",
            "root_share is a number from 0 to 1",
        ),
        (
            "zoo:minimax_share=-1",
            "minimax_share is a number from 0 to 1",
        ),
        ("zoo:symmetries=2", "symmetries is all"),
        (
            "zoo:transpositions=no",
            "transpositions is on or off, got \"no\"",
        ),
        ("zoo:depth=3", "no option \"depth\""),
        ("zoo:leaf_share=0.5", "leaf_share needs leaf_nodes"),
        ("zoo:leaf_nodes=5,leaf_share=2", "from 0 to 1, got \"2\""),
        (
            "zoo:leaf_nodes=5,leaf_share=NaN",
            "from 0 to 1, got \"NaN\"",
        ),
    ] {
        let error = text.parse::<PlayerSpec>().unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn a_policy_s_directory_ends_where_options_begin() {
    for (text, directory, sims, precision) in [
        ("policy:a", "a", DEFAULT_POLICY_SIMULATIONS, Precision::F32),
        ("policy:a,b,sims=0", "a,b", 0, Precision::F32),
        (
            "policy:x=1,precision=bf16",
            "x=1",
            DEFAULT_POLICY_SIMULATIONS,
            Precision::Bf16,
        ),
        ("policy:a,precision=bf16,sims=7", "a", 7, Precision::Bf16),
        ("policy:a,sims=7,precision=f32", "a", 7, Precision::F32),
    ] {
        let spec: PlayerSpec = text.parse().unwrap();
        let expected = PlayerSpec::Policy {
            source: PolicySource::Directory(PathBuf::from(directory)),
            options: PolicyOptions {
                sims,
                precision,
                ..PolicyOptions::default()
            },
        };
        assert_eq!(spec, expected, "{text}");
        assert_eq!(spec.to_string().parse::<PlayerSpec>().unwrap(), expected);
    }
    let wrong = "policy:a,precision=f16".parse::<PlayerSpec>().unwrap_err();
    assert!(
        wrong.to_string().contains("f32 or bf16, got \"f16\""),
        "{wrong}"
    );
    let missing = "policy:,sims=3".parse::<PlayerSpec>().unwrap_err();
    assert!(
        missing.to_string().contains("directory is missing"),
        "{missing}"
    );
}
